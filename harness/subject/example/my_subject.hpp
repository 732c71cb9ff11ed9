// The runtime under test, as Assay asks it.
#pragma once

#include <assay/subject/subject.hpp>
#include <memory>

std::unique_ptr<assay::Subject> make_my_subject();

// What the environment asks of a program that runs on the simulation.
#pragma once

namespace assay::cuda::on_cpu {

/// At the program's start: a variable ASSAY_ON_CPU_... that there is not, or that cannot be what it
/// is, ends the process with a sentence and status 2.
void check_settings();

}  // namespace assay::cuda::on_cpu

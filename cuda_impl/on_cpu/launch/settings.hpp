// What the environment asks of a program that runs on the simulation.
#pragma once

namespace assay::cuda::on_cpu {

/// At the program's start: an unknown variable ASSAY_ON_CPU_..., or one with an invalid value, is
/// an error, which is printed and ends the process with status 2.
void check_settings();

}  // namespace assay::cuda::on_cpu

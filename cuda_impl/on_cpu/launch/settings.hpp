// Validates the environment variables of the simulation.
#pragma once

namespace assay::cuda::on_cpu {

/// At program start: an unknown variable ASSAY_ON_CPU_..., or one with an invalid value, is printed
/// as an error and ends the process with status 2.
void check_settings();

}  // namespace assay::cuda::on_cpu

package dev.askgateway.config;

import dev.askgateway.intake.admission.AdmissionConfig;

/** Which keys fill the admission. No rules: the record has them. */
final class AdmissionSection {
  private AdmissionSection() {}

  static AdmissionConfig read(Section root) {
    Section admission = root.section("admission");
    return new AdmissionConfig(
        admission.bool("enabled"),
        admission.integer("maxOpen"),
        admission.integer("maxBeginning"),
        admission.duration("statusTarget"),
        admission.duration("startTarget"),
        admission.duration("lagTarget"),
        admission.duration("retryAfter"));
  }
}

// The roles and levels a reader can choose, as the pages name them (theme/partials/cards.html).

export const ROLES = /** @type {[string, string][]} */ ([
  ["all", "Any role"],
  ["kernel", "Kernels"],
  ["training", "Training"],
  ["inference", "Inference"],
  ["infra", "Infrastructure"],
  ["graphics", "Graphics"],
  ["edge", "Edge"],
]);
export const LEVELS = /** @type {[string, string][]} */ ([
  ["any", "Any level"],
  ["beginner", "Beginner"],
  ["intermediate", "Up to intermediate"],
  ["advanced", "Up to advanced"],
]);

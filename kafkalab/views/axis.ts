// Axes: round steps of numbers and of time, and the ticks between two values.

/** Steps of time that clocks use, in seconds. */
const CLOCK = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];

/** Returns 1, 2 or 5 times a power of ten, at least `least`. */
export function roundStep(least: number) {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((m) => m * power >= least * (1 - 1e-9)) ?? 10) * power;
}

/** Returns a step in seconds that clocks use, at least `least`. */
export function timeStep(least: number) {
  return CLOCK.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}

/** Returns the multiples of a step between two values, both included. */
export function ticks(from: number, to: number, step: number) {
  const first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

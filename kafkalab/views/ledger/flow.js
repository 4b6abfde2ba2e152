// The flow of a ledger as shapes, without the DOM: works out three stations, the ribbons between them, and those that leave
// or join. kafkalab/views/ledger/still.py draws the same shapes.

/**
 * The number of ids on each way (kafkalab/views/ledger/picture.py: flow).
 * @typedef {{ kept: number, lost: number, unsure_seen: number, unsure_gone: number, strangers: number }} Flow
 * @typedef {{ x: number, y: number, h: number }} Bar
 * @typedef {{ kind: string, count: number, d: string, middle: string }} Ribbon
 */

export const WIDTH = 1060;
export const HEIGHT = 268;
/** Places of the stations, and their width. */
export const STATIONS = { sent: 40, acknowledged: 420, seen: 800 };
export const THICK = 20;
const TOP = 64;
const TALL = 128;
/** Where the ribbons that fall off end, and where the ribbon of strangers starts. */
export const FLOOR = 226;
export const SINKS = { unacknowledged: 240, lost: 540, strangers: 755 };
/** Minimum thickness of a ribbon, so that one record of a million can be seen. */
const LEAST = 4;

/** Returns the thickness of a ribbon of n ids; `most` ids fill the whole height. @param {number} n @param {number} most */
export function thickness(n, most) {
  return n <= 0 ? 0 : Math.max(LEAST, (TALL * n) / Math.max(1, most));
}

/**
 * Returns the bars and ribbons of a flow.
 * @param {Flow} flow
 * @returns {{ bars: Record<"sent" | "acknowledged" | "seen", Bar>, ribbons: Ribbon[] }}
 */
export function layout(flow) {
  const most = Math.max(flow.kept + flow.lost + flow.unsure_seen + flow.unsure_gone, flow.kept + flow.unsure_seen + flow.strangers);
  const h = /** @type {Record<keyof Flow, number>} */ (Object.fromEntries(Object.entries(flow).map(([way, n]) => [way, thickness(n, most)])));
  const bars = {
    sent: { x: STATIONS.sent, y: TOP, h: h.kept + h.lost + h.unsure_seen + h.unsure_gone },
    acknowledged: { x: STATIONS.acknowledged, y: TOP, h: h.kept + h.lost },
    seen: { x: STATIONS.seen, y: TOP, h: h.kept + h.unsure_seen + h.strangers },
  };
  const right = (/** @type {"sent" | "acknowledged"} */ name) => STATIONS[name] + THICK;
  const lostAt = TOP + h.kept;
  const unsureAt = TOP + h.kept + h.lost;
  const goneAt = unsureAt + h.unsure_seen;
  const strangersAt = TOP + h.kept + h.unsure_seen;
  // The ribbon that bypasses "acknowledged" runs below it.
  const below = TOP + h.kept + h.lost + (h.unsure_seen ? 12 : 0);
  const ribbons = [
    ribbon("acknowledged", flow.kept + flow.lost, right("sent"), TOP, STATIONS.acknowledged, TOP, h.kept + h.lost),
    ribbon("seen", flow.kept, right("acknowledged"), TOP, STATIONS.seen, TOP, h.kept),
    passing("unsure", flow.unsure_seen, unsureAt, below, TOP + h.kept, h.unsure_seen),
    falling("unacknowledged", flow.unsure_gone, right("sent"), goneAt, SINKS.unacknowledged, h.unsure_gone),
    falling("lost", flow.lost, right("acknowledged"), lostAt, SINKS.lost, h.lost),
    rising("strangers", flow.strangers, SINKS.strangers, strangersAt, h.strangers),
  ];
  return { bars, ribbons: ribbons.filter((one) => one.count > 0) };
}

/** @param {string} kind @param {number} count @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} h @returns {Ribbon} */
function ribbon(kind, count, x1, y1, x2, y2, h) {
  const m = (x1 + x2) / 2;
  return { kind, count, d: `M${x1} ${y1}C${m} ${y1} ${m} ${y2} ${x2} ${y2}V${y2 + h}C${m} ${y2 + h} ${m} ${y1 + h} ${x1} ${y1 + h}Z`, middle: `M${x1} ${y1 + h / 2}C${m} ${y1 + h / 2} ${m} ${y2 + h / 2} ${x2} ${y2 + h / 2}` };
}

/** Returns a ribbon from sent to seen, below acknowledged. @param {string} kind @param {number} count @param {number} y1 @param {number} y2 @param {number} y3 @param {number} h @returns {Ribbon} */
function passing(kind, count, y1, y2, y3, h) {
  const [a, b, c, d] = [STATIONS.sent + THICK, STATIONS.acknowledged, STATIONS.acknowledged + THICK, STATIONS.seen];
  const [m, n] = [(a + b) / 2, (c + d) / 2];
  const line = (/** @type {number} */ o) => `M${a} ${y1 + o}C${m} ${y1 + o} ${m} ${y2 + o} ${b} ${y2 + o}H${c}C${n} ${y2 + o} ${n} ${y3 + o} ${d} ${y3 + o}`;
  return { kind, count, d: `${line(0)}V${y3 + h}C${n} ${y3 + h} ${n} ${y2 + h} ${c} ${y2 + h}H${b}C${m} ${y2 + h} ${m} ${y1 + h} ${a} ${y1 + h}Z`, middle: line(h / 2) };
}

/** Returns a ribbon that falls off a station. @param {string} kind @param {number} count @param {number} x @param {number} y @param {number} sink @param {number} h @returns {Ribbon} */
function falling(kind, count, x, y, sink, h) {
  const [l, r] = [sink - h / 2, sink + h / 2];
  return { kind, count, d: `M${x} ${y}C${r} ${y} ${r} ${y} ${r} ${FLOOR}H${l}C${l} ${y + h} ${l} ${y + h} ${x} ${y + h}Z`, middle: `M${x} ${y + h / 2}C${sink} ${y + h / 2} ${sink} ${y + h / 2} ${sink} ${FLOOR}` };
}

/** Returns a ribbon that rises into seen. @param {string} kind @param {number} count @param {number} source @param {number} y @param {number} h @returns {Ribbon} */
function rising(kind, count, source, y, h) {
  const [l, r, x] = [source - h / 2, source + h / 2, STATIONS.seen];
  return { kind, count, d: `M${l} ${FLOOR}C${l} ${y} ${l} ${y} ${x} ${y}V${y + h}C${r} ${y + h} ${r} ${y + h} ${r} ${FLOOR}Z`, middle: `M${source} ${FLOOR}C${source} ${y + h / 2} ${source} ${y + h / 2} ${x} ${y + h / 2}` };
}

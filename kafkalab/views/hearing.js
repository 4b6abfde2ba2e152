// The watch on the kernel: notices when it falls silent. It sends something to each page that shows a view at least every
// two seconds (kafkalab/views/live.py), but anywidget may have stopped handing it on.

/** Seconds without a message after which the kernel counts as silent. */
const SILENCE = 5;

/**
 * Calls `silent(since)`, with a time in milliseconds, after five seconds without a message, and again after twice as long
 * each time. A timer counts the seconds: a busy page holds it up too, so messages that still wait do not count as silence.
 * @param {(since: number) => void} silent
 */
export function hearing(silent) {
  let quiet = 0, since = Date.now(), next = SILENCE;
  const timer = setInterval(() => {
    if (++quiet < next) return;
    next *= 2;
    silent(since);
  }, 1000);
  return {
    /** To be called for every message that arrives. */
    heard() {
      [quiet, since, next] = [0, Date.now(), SILENCE];
    },
    end: () => clearInterval(timer),
  };
}

/**
 * Receives the messages that anywidget would drop. anywidget 0.11 gives up on a model whose script took more than two seconds
 * to load, as happens on a busy machine: it still draws the view, but throws away everything the kernel sends to that model
 * from then on. In that case, this function connects messages directly to Jupyter's part of the model, and asks the kernel
 * for all traits. The trait `me` is the model's id, because the model that anywidget gives to a view does not hold it.
 * @param {any} model
 */
export async function hearAll(model) {
  const real = await model.widget_manager?.get_model?.(model.get("me"));
  if (!real?.comm || !real._handle_comm_msg) return;
  try {
    await real._handle_comm_msg({ content: { data: {} } });
  } catch {
    const handlers = [];
    for (let of = real; of; of = Object.getPrototypeOf(of)) if (Object.hasOwn(of, "_handle_comm_msg")) handlers.push(of._handle_comm_msg);
    const handle = handlers.at(-1); // the first is anywidget's
    real.comm.on_msg((/** @type {any} */ message) => handle.call(real, message));
    real.comm.send({ method: "request_state" });
  }
}

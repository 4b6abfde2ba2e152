// Whether the kernel is heard: it sends something to each page that shows a view at least every two seconds
// (kafkalab/views/live.py), and anywidget may have stopped to hand it on.

/** So many seconds without a word mean that there is no news. */
const SILENCE = 5;

/**
 * Calls `silent(since)`, in milliseconds, when nothing was heard for five seconds, and again after twice as long each time.
 * The seconds are counted by a timer that a busy page holds up as well: what it has not read yet is no silence.
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
    /** Something was heard. */
    heard() {
      [quiet, since, next] = [0, Date.now(), SILENCE];
    },
    end: () => clearInterval(timer),
  };
}

/**
 * Hears what anywidget would drop. anywidget 0.11 gives up on a model whose script took more than two seconds to load, as
 * happens on a busy machine: it still draws the view, and throws away whatever the kernel sends to that model for ever
 * after. Where that happened, messages go straight to the part of the model that is Jupyter's, and the kernel is asked for
 * all traits. The trait `me` is the model's id: what anywidget hands to a view does not say it.
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

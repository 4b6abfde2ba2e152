import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { hearAll, hearing } from "../../kafkalab/views/live.ts";

test("five seconds without a word are silence, and it is told again after twice as long", () => {
  mock.timers.enable({ apis: ["setInterval", "Date"] });
  try {
    /** @type {number[]} */ const told = [];
    const ear = hearing((since) => told.push(since));
    mock.timers.tick(4000);
    ear.heard();
    mock.timers.tick(4999);
    assert.deepEqual(told, []);
    mock.timers.tick(1);
    assert.deepEqual(told, [4000]);
    mock.timers.tick(4000);
    assert.equal(told.length, 1);
    mock.timers.tick(1000);
    assert.equal(told.length, 2);
    ear.heard();
    mock.timers.tick(5000);
    assert.deepEqual(told, [4000, 4000, 14_000]);
    ear.end();
    mock.timers.tick(60_000);
    assert.equal(told.length, 3);
  } finally {
    mock.timers.reset();
  }
});

/** What Jupyter keeps of a widget, and anywidget's part above it; `lost`: anywidget has given up on it. @param {boolean} lost */
function kept(lost) {
  class Base {
    /** @type {any[]} */ got = [];
    _handle_comm_msg(/** @type {any} */ message) { this.got.push(message.content.data.method); }
  }
  class Any extends Base {
    async _handle_comm_msg(/** @type {any} */ message) {
      if (lost) throw new Error("Failed to initialize model.");
      return super._handle_comm_msg(message);
    }
  }
  const real = new Any();
  /** @type {any} */ const comm = {
    handle: null, sent: [],
    on_msg: (/** @type {Function} */ handle) => { comm.handle = handle; },
    send: (/** @type {any} */ data) => comm.sent.push(data.method),
  };
  return Object.assign(real, { comm });
}
const asModel = (/** @type {any} */ real) => ({ get: () => "an-id", widget_manager: { get_model: async (/** @type {string} */ id) => (id === "an-id" ? real : undefined) } });

test("a model that anywidget gave up on is heard all the same, and asked for what was missed", async () => {
  const real = kept(true);
  await hearAll(asModel(real));
  assert.deepEqual(real.comm.sent, ["request_state"]);
  real.comm.handle({ content: { data: { method: "custom" } } });
  assert.deepEqual(real.got, ["custom"]);
});

test("one that is well is left as it is, and a page without a kernel too", async () => {
  const real = kept(false);
  await hearAll(asModel(real));
  assert.equal(real.comm.handle, null);
  assert.deepEqual(real.comm.sent, []);
  await hearAll({ get: () => undefined });
});

// Timeline: draws the bar that all views of a recording follow (kafkalab/views/timeline/view.py).
import { live } from "../live.js";
import { timelineBar } from "./bar.js";

export default {
  render: live("timeline", (page, { ask }) => timelineBar(page, ask)),
};

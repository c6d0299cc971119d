// Shows the value of the bar under the pointer. Everything it shows is in the table beside the chart too.
"use strict";
for (const chart of document.querySelectorAll(".chart")) {
  const output = chart.querySelector("output");
  const show = (event) => {
    const bar = event.target instanceof Element ? event.target.closest(".bar") : null;
    output.textContent = bar ? bar.dataset.value : "\u00a0";
  };
  chart.addEventListener("pointermove", show);
  chart.addEventListener("pointerdown", show);
  chart.addEventListener("pointerleave", () => { output.textContent = "\u00a0"; });
}

"use strict";
// Sorting and filtering of tables and lists. Without it the pages show everything, in their order.
(() => {
  const value = (row, column) => {
    const cell = row.cells[column];
    const given = cell.dataset.value;
    return given === undefined ? cell.textContent.trim() : Number(given);
  };
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        const rows = [...body.rows].map((row) => [value(row, column), row]);
        rows.sort(([one], [other]) =>
          sign * (typeof one === "number" ? one - other : one.localeCompare(other)));
        body.append(...rows.map(([, row]) => row));
      });
    });
  }
  for (const input of document.querySelectorAll("input[data-filters]")) {
    const target = document.getElementById(input.dataset.filters);
    const rows = target.tBodies ? [...target.tBodies[0].rows] : [...target.querySelectorAll("[data-row]")];
    const texts = rows.map((row) => {
      const image = row.querySelector("img");
      return (row.textContent + (image ? image.alt : "")).toLowerCase();
    });
    const count = document.getElementById(input.dataset.filters + "-count");
    const sizes = document.querySelector(`select[data-sizes="${input.dataset.filters}"]`);
    const show = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const size = sizes ? sizes.value : "";
      let shown = 0;
      rows.forEach((row, number) => {
        row.hidden = !(words.every((word) => texts[number].includes(word)) && (!size || row.dataset.size === size));
        shown += row.hidden ? 0 : 1;
      });
      count.textContent = words.length || size ? `${shown} of ${rows.length}` : "";
    };
    input.addEventListener("input", show);
    if (sizes) sizes.addEventListener("change", show);
  }
  // Structures are drawn as they come near to the viewport. Their script is loaded after this one.
  addEventListener("DOMContentLoaded", () => {
    const images = [...document.querySelectorAll("img[data-drawing]")];
    if (!images.length) return;
    const draw = (image) => {
      if (!image.dataset.drawing) return;
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(drawings[image.dataset.drawing]);
      image.dataset.drawing = "";
    };
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) {
          draw(target.querySelector("img"));
          observer.unobserve(target);
        }
      }
    }, { rootMargin: "800px" });
    images.forEach((image) => observer.observe(image.closest("figure")));
    addEventListener("beforeprint", () => images.forEach(draw));
  });
  const openTarget = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const details = target && target.querySelector("details");
    if (details && target.matches(".test")) details.open = true;
  };
  addEventListener("hashchange", openTarget);
  openTarget();
  // What is closed on the screen is open on paper.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("main details:not([open])")].filter((it) => !it.closest(".source"));
    closed.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((details) => { details.open = false; }));
})();

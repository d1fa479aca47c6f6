// Opens the pages of a site in a browser: no rule of accessibility is broken in light and dark, narrow and wide,
// nothing is loaded from elsewhere, and the tables can be sorted and filtered by keyboard.
// Arguments: folder of the site, folder for screenshots. Prints what was done as JSON.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const puppeteer = require("puppeteer-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [site, shots] = process.argv.slice(2);

const pagesOf = (folder) =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return pagesOf(file);
    return entry.name.endsWith(".html") ? [file] : [];
  }).sort();

const main = async () => {
  const browser = await puppeteer.launch({
    executablePath: process.env.BROWSER,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const told = { violations: [], errors: [], foreign: [], wide: [], pages: 0 };
  const page = await browser.newPage();
  page.on("pageerror", (error) => told.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") told.errors.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) told.foreign.push(request.url());
  });
  page.on("requestfailed", (request) => told.errors.push("failed: " + request.url()));
  for (const file of pagesOf(site)) {
    told.pages += 1;
    for (const scheme of ["light", "dark"]) {
      for (const width of [360, 1280]) {
        await page.setViewport({ width, height: 900 });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await page.goto(pathToFileURL(file).href, { waitUntil: "load" });
        await page.evaluate(axe);
        // Pages in files may not read their own style sheets, which one rule about phones would do.
        const rules = { resultTypes: ["violations"], preload: false };
        const result = await page.evaluate((it) => axe.run(document, it), rules);
        const where = `${path.relative(site, file)} ${scheme} ${width}`;
        for (const violation of result.violations) {
          told.violations.push(`${where}: ${violation.id}: ${violation.nodes[0].html}`);
        }
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        if (isWide) told.wide.push(where);
        const name = `${path.relative(site, file).replace(/[^A-Za-z0-9]+/g, "-")}-${scheme}-${width}.png`;
        await page.screenshot({ path: path.join(shots, name) });
      }
    }
  }
  // Sorting and filtering by keyboard alone.
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(pathToFileURL(path.join(site, "index.html")).href);
  const names = () => page.$$eval("#classes-table tbody tr:not([hidden]) th", (all) => all.map((it) => it.textContent));
  const sorted = () => page.$eval("#classes-table thead th", (head) => head.getAttribute("aria-sort"));
  const focusOn = async (selector) => {
    for (let steps = 0; steps < 500; steps += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((it) => document.activeElement.matches(it), selector)) return;
    }
    throw new Error("the keyboard does not reach " + selector);
  };
  await page.keyboard.press("Tab");
  told.firstStop = await page.evaluate(() => document.activeElement.textContent);
  if (await page.$("#filter")) await focusOn("#filter");
  await focusOn("#classes-table thead th:first-child button");
  await page.keyboard.press("Enter");
  told.ascending = [await sorted(), await names()];
  await page.keyboard.press("Space");
  told.descending = [await sorted(), await names()];
  if (await page.$("#filter")) {
    await page.focus("#filter");
    await page.keyboard.type((await names())[0].toUpperCase());
    told.filtered = [await names(), await page.$eval("#classes-table-count", (it) => it.textContent)];
  }
  // Structures of one size.
  const gallery = path.join(site, "structures.html");
  if (fs.existsSync(gallery)) {
    await page.goto(pathToFileURL(gallery).href);
    await page.select("#size", "2");
    told.sizes = await page.$$eval("#gallery figure:not([hidden])", (all) => all.map((it) => it.dataset.size));
    const drawn = "figure:not([hidden]) img[data-drawing='']";
    const first = await page.waitForSelector(drawn);
    told.drawn = await first.evaluate(async (image) => {
      await image.decode();
      return image.naturalWidth === Number(image.getAttribute("width"));
    });
  }
  // What paper shows.
  await page.emulateMediaType("print");
  told.printed = (await page.pdf()).length > 1000;
  await browser.close();
  console.log(JSON.stringify(told));
};

main().catch((error) => {
  console.error(error);
  process.exit(1);
});

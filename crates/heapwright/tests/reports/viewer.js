// Opens a report of mutants in Stryker's viewer. Argument: the file. Prints as JSON the rows of its tables of mutants and
// of tests, and what went wrong.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const puppeteer = require("puppeteer-core");

const viewer = path.join(path.dirname(require.resolve("mutation-testing-elements")), "mutation-test-elements.js");

const main = async () => {
  const browser = await puppeteer.launch({
    executablePath: process.env.BROWSER,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const page = await browser.newPage();
  const told = { errors: [] };
  page.on("pageerror", (error) => told.errors.push(String(error)));
  await page.setContent("<mutation-test-report-app></mutation-test-report-app>");
  await page.addScriptTag({ path: viewer });
  await page.evaluate((report) => {
    document.querySelector("mutation-test-report-app").report = report;
  }, JSON.parse(fs.readFileSync(process.argv[2], "utf8")));
  // The table is in the shadow tree of an element in that of another one.
  const rows = async (heading) => {
    const found = await page.waitForFunction((wanted) => {
      const tables = (root) =>
        [...root.querySelectorAll("*")].flatMap((it) =>
          (it.matches("table") ? [it] : []).concat(it.shadowRoot ? tables(it.shadowRoot) : []));
      const table = tables(document).find((it) => it.textContent.includes(wanted));
      return table && [...table.rows].map((row) =>
        [...row.cells].map((cell) => cell.textContent.replace(/\s+/g, " ").trim()));
    }, {}, heading);
    return found.jsonValue();
  };
  told.mutants = await rows("Killed");
  await page.evaluate(() => { location.hash = "#test"; });
  told.tests = await rows("Killing");
  await browser.close();
  console.log(JSON.stringify(told));
};

main().catch((error) => {
  console.error(error);
  process.exit(1);
});

// Reads a Cobertura report as a consumer does. Argument: the file. Prints lines and branches of each class.
"use strict";
const { parseFile } = require("cobertura-parse");

parseFile(process.argv[2], (error, classes) => {
  if (error) throw error;
  const counts = ({ title, file, lines, functions }) => [title, file, lines.hit, lines.found, functions.found];
  console.log(JSON.stringify(classes.map(counts)));
});

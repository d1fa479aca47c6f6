// Azure's blobs on this machine: prints the port, and serves until the input ends.

const net = require("net");
const { BlobServiceClient } = require("@azure/storage-blob");

// The account that the program is documented to have.
const connection = (port) =>
  `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${process.env.AZURE_STORAGE_ACCOUNT_KEY};` +
  `BlobEndpoint=http://127.0.0.1:${port}/devstoreaccount1;`;

const free = net.createServer().listen(0, "127.0.0.1", () => {
  const { port } = free.address();
  free.close(async () => {
    process.argv.push("--blobHost", "127.0.0.1", "--blobPort", String(port));
    process.argv.push("--inMemoryPersistence", "--silent", "--skipApiVersionCheck");
    require("azurite/dist/src/blob/main.js");
    await BlobServiceClient.fromConnectionString(connection(port)).createContainer("container");
    console.log("port", port);
  });
});
process.stdin.resume().on("end", () => process.exit(0));

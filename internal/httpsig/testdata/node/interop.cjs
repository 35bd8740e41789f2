// Signs or verifies one message with npm's http-message-signatures, for
// interop_node_test.go. A job comes on standard input as JSON, the answer goes
// to standard output as JSON. The package is looked for under
// STOREWARE_NODE_MODULES, a node_modules folder.
'use strict';
const path = require('path');
const fs = require('fs');
const { createSigner, createVerifier, httpbis } = require(
  path.join(process.env.STOREWARE_NODE_MODULES, 'http-message-signatures'));

async function main() {
  const job = JSON.parse(fs.readFileSync(0, 'utf8'));
  if (job.do === 'sign') {
    return httpbis.signMessage({
      key: createSigner(job.privateKey, job.algorithm, 'kid'),
      name: 'sig1',
      fields: job.fields,
      params: ['created', 'keyid'],
    }, job.message, job.request);
  }
  const verify = createVerifier(job.publicKey, job.algorithm);
  const verified = await httpbis.verifyMessage({
    requiredParams: ['created', 'keyid'],
    keyLookup: async ({ keyid }) => keyid === 'kid'
      ? { id: 'kid', algs: [job.algorithm], verify } : null,
  }, job.message, job.request);
  return { verified };
}

main().then(
  (answer) => console.log(JSON.stringify(answer)),
  (error) => console.log(JSON.stringify({ error: String(error) })));

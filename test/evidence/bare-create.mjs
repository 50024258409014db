// The limit that creations are measured against: a server that parses the same body, signs the same kind of token and
// sends the same two prepared statements, and does nothing else: no proof, no validation, no log. Sent where the
// database is and whose requests it creates, it answers with its port.
import { createServer } from 'node:http';
import { randomBytes, randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { READ_CREDENTIAL } from '#contexts/identity/infrastructure/credentials/persistence/credential-lookup.js';
import { buildAddPaymentRequestSql } from '#contexts/payments/infrastructure/requests/persistence/add-payment-request.sql.js';
import { newId } from '#shared/kernel/ids.js';
import { NaspipSigner } from '#shared/naspip/naspip-signer.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';

const WINDOW_MS = 480_000;
const GRACE_MS = 60_000;

const signer = new NaspipSigner({
  issuer: 'sandbox.example',
  keyId: 'sandbox-1',
  secretKey: generatePaserkKeyPair().secretKey,
  keyExpiresAt: new Date(Date.now() + 365 * 86_400_000),
});
const prepared = (name, text, values) => ({ name, text, values });

function requestOf({ facts, selected }, expiresAt) {
  const countsUntil = new Date(expiresAt.getTime() + GRACE_MS);
  return {
    facts,
    selected,
    snapshot: () => ({ status: 'created', expiresAt, countsUntil }),
  };
}

async function create(pool, { keyId, version, merchant, ...whose }, body) {
  const [{ now }] = (await pool.query(prepared('credential', READ_CREDENTIAL, [keyId]))).rows;
  const expiresAt = new Date(now.getTime() + WINDOW_MS);
  const facts = {
    ...whose.facts,
    id: newId(),
    createdAt: now,
    referenceId: body.reference_id,
    order: body.order,
  };
  const address = `0x${randomBytes(20).toString('hex')}`;
  const selected = {
    ...whose.selected,
    amount: BigInt(whose.selected.amount),
    depositAddress: { ...whose.selected.depositAddress, address },
  };
  const { uniqueAssetId } = selected;
  const payment = { id: facts.id, address, uniqueAssetId, isOpen: false, amount: body.amount };
  const { coin_code: coinCode, ...order } = body.order;
  const payload = { payment, order: { ...order, coinCode, merchant } };
  const token = signer.sign({ payload, issuedAt: now, expiresAt });
  const [text, values] = buildAddPaymentRequestSql(
    { request: requestOf({ facts, selected }, expiresAt), token },
    whose.event,
    version,
  );
  await pool.query(prepared('create', text, values));
  return {
    ...facts,
    token,
    amount: body.amount,
    unique_asset_id: uniqueAssetId,
    address,
    expires_at: expiresAt,
  };
}

function serve({ databaseUrl, connections, whose }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections, application_name: 'bare' });
  const server = createServer((request, response) => {
    json(request)
      .then((body) => create(pool, whose, body))
      .then((data) => {
        const answer = JSON.stringify({ status: 'success', data });
        response.writeHead(200, {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(answer),
          'X-Request-Id': randomUUID(),
        });
        response.end(answer);
      })
      .catch((error) => response.writeHead(500).end(String(error.stack)));
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
}

process.on('message', serve);

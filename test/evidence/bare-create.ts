// The limit that creations are measured against: a server that parses the same body, signs the same kind of token and
// sends the same two prepared statements, and does nothing else: no proof, no validation, no log. Sent where the
// database is and whose requests it creates, it answers with its port.
import { createServer } from 'node:http';
import { randomBytes, randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { READ_CREDENTIAL } from '#contexts/identity/infrastructure/credentials/persistence/credential-lookup.js';
import { buildAddPaymentRequestSql } from '#contexts/payments/infrastructure/requests/persistence/add-payment-request.sql.js';
import { newId } from '#shared/kernel/ids.js';
import { NaspipSigner } from '#shared/naspip/naspip-signer.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import type { Owner } from './create-world.js';

type CreatedRequest = Parameters<typeof buildAddPaymentRequestSql>[0];

interface Start {
  readonly databaseUrl: string;
  readonly connections: number;
  readonly whose: Owner;
}

interface CreateBody {
  readonly amount: string;
  readonly reference_id: string;
  readonly order: { readonly total: string; readonly coin_code: string; readonly description: string };
}

const WINDOW_MS = 480_000;
const GRACE_MS = 60_000;

const signer = new NaspipSigner({
  issuer: 'sandbox.example',
  keyId: 'sandbox-1',
  secretKey: generatePaserkKeyPair().secretKey,
  keyExpiresAt: new Date(Date.now() + 365 * 86_400_000),
});
const prepared = (name: string, text: string, values: unknown[]) => ({ name, text, values });

/** A request, as far as the statement reads it. */
function requestOf(facts: object, selected: object, expiresAt: Date): CreatedRequest['request'] {
  const countsUntil = new Date(expiresAt.getTime() + GRACE_MS);
  const read = { facts, selected, snapshot: () => ({ status: 'created', expiresAt, countsUntil }) };
  return read as unknown as CreatedRequest['request'];
}

async function create(pool: pg.Pool, { keyId, version, merchant, ...whose }: Owner, body: CreateBody) {
  const { rows } = await pool.query<{ now: Date }>(prepared('credential', READ_CREDENTIAL, [keyId]));
  const { now } = rows[0]!;
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
    { request: requestOf(facts, selected, expiresAt), token },
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

function serve({ databaseUrl, connections, whose }: Start): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections, application_name: 'bare' });
  const server = createServer((request, response) => {
    json(request)
      .then((body) => create(pool, whose, body as CreateBody))
      .then((data) => {
        const answer = JSON.stringify({ status: 'success', data });
        response.writeHead(200, {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(answer),
          'X-Request-Id': randomUUID(),
        });
        response.end(answer);
      })
      .catch((error: Error) => response.writeHead(500).end(error.stack));
  });
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
}

process.on('message', serve);

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.js';
import { ForwarderDerivation } from '#contexts/networks/infrastructure/evm/forwarders/forwarder-derivation.js';
import { newId } from '#shared/kernel/ids.js';
import { migrate, MIGRATIONS } from './migrate.js';

const FIRST = '1795363203001';
const ZERO = `0x${'0'.repeat(40)}`;
const SETTLEMENT = '0x52908400098527886E0F7030069857D2E4169EE7';
const RECIPIENT = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const derivation = new ForwarderDerivation('0x5FbDB2315678afecb367f032d93F642f64180aa3', 31_337);

let database: TestDatabase;
let client: pg.Client;
let before: string;

beforeEach(async () => {
  database = await createTestDatabase('template0');
  before = mkdtempSync(join(tmpdir(), 'migrations-'));
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < FIRST))
    cpSync(new URL(file, MIGRATIONS), join(before, file));
  await migrate(database.url, [pathToFileURL(`${before}/`)]);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
  rmSync(before, { recursive: true });
});

function addressOf(feeRecipient: string, feeBasisPoints: number, requestId: string): string {
  const terms = { settlementAddress: SETTLEMENT, feeRecipient, feeBasisPoints };
  return derivation.addressOf(derivation.initCodeHash(terms), requestId).toLowerCase();
}

/** Terms, and a request with its address under them, as processes of the release before write them. */
async function stored(feeRecipient: string, share: number): Promise<string> {
  const [id, terms] = [newId(), newId()];
  await client.query(
    `INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient,
       fee_basis_points, set_by, created_at) VALUES ($1, $1, 'sandbox', $2, $3, $4, 'test', now())`,
    [terms, SETTLEMENT, feeRecipient, share],
  );
  await client.query(
    `WITH request AS (
       INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
         unique_asset_id, currency, decimals, amount, token, created_at, expires_at, counts_until)
       VALUES ($1, $1, $1, $1, 'fixed', 'created', 'sandbox', 'asset', 'USDC', 6, 1, 'none', now(), now(), now())
       RETURNING id)
     INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
       unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
     SELECT 'sandbox', $3, id, id, id, 'asset', '{}', $2, $4, $5, $6, now() FROM request`,
    [id, terms, addressOf(feeRecipient, share, id), SETTLEMENT, feeRecipient, share],
  );
  return id;
}

async function rows() {
  const { rows: found } = await client.query(
    `SELECT a.payment_request_id AS id, a.address, a.fee_recipient AS recipient, a.fee_basis_points AS share,
       t.fee_recipient AS of_terms
     FROM payments.deposit_addresses a JOIN point_of_sale.settlement_terms t ON t.id = a.settlement_terms_id
     ORDER BY a.payment_request_id`,
  );
  return found as { id: string; address: string; recipient: string; share: number; of_terms: string }[];
}

describe('Terms without a fee that an earlier release has stored', () => {
  it('have the zero address as recipient afterwards, and every address derives from its row as before', async () => {
    await stored(SETTLEMENT, 0);
    await stored(RECIPIENT, 0);
    await stored(RECIPIENT, 250);

    await migrate(database.url);
    await stored(SETTLEMENT, 0);
    const found = await rows();

    expect(found.map(({ recipient, of_terms }) => [recipient, of_terms])).toEqual(
      [ZERO, ZERO, RECIPIENT, ZERO].map((each) => [each, each]),
    );
    for (const { id, address, recipient, share } of found)
      expect(addressOf(recipient, share, id)).toBe(address);
    await expect(
      client.query('UPDATE point_of_sale.settlement_terms SET fee_basis_points = 1'),
    ).rejects.toThrow('append-only');
  });
});

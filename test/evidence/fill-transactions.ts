export const EXCEPTIONS = 50;

/** Transactions of one account, a second between two, without the journal, events and requests that they would come from. */
export function fillTransactions(organization: string, account: string, size: number): string {
  return `
    BEGIN;
    SET LOCAL session_replication_role = replica;
    INSERT INTO ledger.sequences VALUES
      ('${organization}', '${organization}', NULL, ${size}, '2026-01-01T00:00:00Z'::timestamptz + interval '${size} s'),
      ('${account}', '${organization}', '${account}', ${size}, '2026-01-01T00:00:00Z'::timestamptz + interval '${size} s');
    INSERT INTO ledger.transactions (id, organization_id, account_id, organization_sequence, account_sequence, type, status,
      gross_amount, net_amount, expected_amount, decimals, currency, network, unique_asset_id, from_address, from_type,
      to_address, to_type, financial_provider, transaction_hash, payment_request_id, transfer_id, reference_id, created_at,
      updated_at)
    SELECT gen_random_uuid(), '${organization}', '${account}', n, n,
      CASE WHEN n % ${EXCEPTIONS} = 0 THEN 'deposit' ELSE 'payment_in' END, 'completed', 25000000, 24750000, 25000000, 6,
      'USDC', 'polygon', 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', '0x' || md5(n::text) || '01234567',
      'wallet', '0x' || md5((-n)::text) || '01234567', 'vault', 'onchain', '0x' || md5(n::text) || md5((-n)::text),
      gen_random_uuid(), CASE WHEN n % ${EXCEPTIONS} = 0 THEN gen_random_uuid() END, 'order-' || n, time, time
    FROM generate_series(1, ${size}) n, LATERAL (SELECT '2026-01-01T00:00:00Z'::timestamptz + make_interval(secs => n)) t (time);
    COMMIT;`;
}

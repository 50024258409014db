/** An event `e` as it enters a seal: every column, in a text that depends on no setting of the session. */
const SEALED_EVENT = `jsonb_build_array(e.id, e.transaction_id::text, e.position, e.type, e.aggregate_id,
    e.organization_id, e.account_id, extract(epoch FROM e.occurred_at), e.data)::text`;

/**
 * The digest of a seal: SHA-256 over the one before it, its number, how many events it is over, and these events `e`.
 * @param previous the digest before @param number its own
 */
export function sealDigest(previous: string, number: string): string {
  return `sha256(${previous} || convert_to(${number} || E'\\n' || count(e.id) || E'\\n'
    || COALESCE(string_agg(${SEALED_EVENT}, E'\\n' ORDER BY e.transaction_id, e.position), ''), 'UTF8'))`;
}

/** The events `e` between two places of the reading order, the second one included. */
export const EVENTS_BETWEEN = `(e.transaction_id, e.position) > (s.after_transaction, s.after_position)
    AND (e.transaction_id, e.position) <= (s.transaction_id, s.position)`;

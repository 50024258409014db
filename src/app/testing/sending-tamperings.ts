import type { Tampering } from './tampering.js';

/** A mined sending with one attempt. @param mined the hash that it says it was mined by */
const sent = (
  attempts: number,
  mined: string,
) => `INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient,
    data, value, gas_limit, fee_ceiling, purpose, state, attempts, mined_hash, mined_block, mined_succeeded)
  VALUES ('01990000-0000-7000-8000-000000000001', 'sandbox', '0x' || repeat('a', 40), 'gas', 0, '0x' || repeat('b', 40), '', 0,
    21000, 1, 'factory_deployment', 'final', ${attempts}, '0x' || repeat('${mined}', 64), 1, true);
  INSERT INTO networks.sending_attempts (sending_id, number, network, hash, raw, max_fee)
  VALUES ('01990000-0000-7000-8000-000000000001', 1, 'sandbox', '0x' || repeat('1', 64), 'raw', 1)`;

export const sendingTamperings: readonly Tampering[] = [
  {
    name: 'mined attempt of an outbound transaction',
    sql: sent(1, '2'),
    reportedBy: ['sendings-are-mined-by-their-attempts', 'signed-bytes-are-of-their-sending'],
  },
  {
    name: 'attempt of an outbound transaction, erased',
    sql: sent(2, '1'),
    reportedBy: ['sendings-have-their-attempts', 'signed-bytes-are-of-their-sending'],
  },
  {
    name: 'cancelled outbound transaction, marked executed',
    sql: `${sent(1, '1')}; UPDATE networks.sending_attempts SET cancels = true`,
    reportedBy: ['sendings-are-cancelled-by-their-attempts', 'signed-bytes-are-of-their-sending'],
  },
];

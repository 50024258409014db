import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import type { JsonFields } from '../../ethereum-rpc/hex-fields.js';

/** Logs in the form of JSON-RPC. In receipts, their hex has no `0x`, and empty fields are absent. */
export function toEthereumLogs(logs: readonly JsonFields[]): JsonFields[] {
  return logs.map(({ address, topics = [], data = '' }) => {
    if (typeof address !== 'string' || !Array.isArray(topics) || typeof data !== 'string')
      throw new MalformedAnswer('a log has no address, no topics or no data');
    // Addresses of simulated calls have 21 bytes, those of receipts have 20.
    return {
      address: `0x${address.slice(-40)}`,
      topics: topics.map((topic) => `0x${String(topic)}`),
      data: `0x${data}`,
    };
  });
}

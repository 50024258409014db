import type { ExchangeFact } from '../../facts/fact.js';
import type { Known } from '../known/known.js';
import { objectOf, textOf } from '../known/values.js';
import { transfersOf } from '../requests/outlook.js';

const SENDING = /^\/public\/checkout\/([^/]+)\/authorization$/;

/** A signature whose transaction has paid is not refused when it is sent again. */
export function takeSignature(exchange: ExchangeFact, known: Known): void {
  const { path, body, answer } = exchange;
  const [, session] = SENDING.exec(path) ?? [];
  if (session === undefined || answer === 'lost') return;
  const nonce = textOf(objectOf(objectOf(body).authorization).nonce);
  const { code, data } = objectOf(answer.body);
  const hash = textOf(objectOf(data).transaction_hash).toLowerCase();
  if (answer.status === 200 && hash !== '') known.signatures.set(nonce, hash);
  if (code !== 'authorization_refused' || !hasPaid(session, known.signatures.get(nonce), known)) return;
  const rule = 'a signature that has paid is not refused';
  known.findings.differ(rule, `session ${session}`, 'queued, sent or seen', answer.body);
}

/** @returns whether a transaction has brought something to a session's addresses, and is final */
function hasPaid(session: string, hash: string | undefined, known: Known): boolean {
  const selections = known.sessions.get(session)?.selections ?? [];
  return selections.some((selection) => {
    const { chain } = selection.asset;
    return transfersOf(selection).some(
      ({ block, transfer }) =>
        transfer.transactionHash.toLowerCase() === hash && chain.isFinal(block, chain.head),
    );
  });
}

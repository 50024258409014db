import { type GasFees, isAtGasFeeCeiling, maxGasLimit } from './gas-fees.js';
import { classifyBroadcastError } from './broadcast-response.js';
import { type SenderAccountState, senderAccountRefusal } from './gas-key.js';
import type { OutboundTransaction } from './outbound-transaction.js';

export interface OutboundTransactionFacts {
  readonly sending: OutboundTransaction;
  /** Null before the first attempt. */
  readonly offered: GasFees | null;
  readonly cancels: boolean;
  /** Gas limit of the newest block. Null if no endpoint answers. */
  readonly blockGas: bigint | null;
  readonly isHeld: boolean;
  /** Null if no endpoint answers. */
  readonly account: SenderAccountState | null;
}

export type OutboundSituation =
  | 'key_missing'
  | 'nodes_silent'
  | 'no_plain_account'
  | 'nonce_used'
  | 'earlier_nonce'
  | 'funds_missing'
  | 'not_as_ordered'
  | 'above_block'
  | 'refused'
  | 'being_cancelled'
  | 'at_ceiling'
  | 'in_a_block'
  | 'in_a_pool';

export interface OperatorNextStep {
  readonly situation: OutboundSituation;
  readonly says: string;
}

export function operatorNextStep({
  sending,
  offered,
  cancels,
  blockGas,
  isHeld,
  account,
}: OutboundTransactionFacts): OperatorNextStep {
  const { id, nonce, network, sender, key, state, call, feeCeiling, response } = sending;
  const cancel = `sender cancel ${network} ${id}`;
  const refusedSignature = state === 'reserved' ? response : null;
  if (state === 'reserved' && !isHeld && refusedSignature === null)
    return step('key_missing', `Start a process with the key ${key}. It signs and continues.`);
  if (account === null)
    return step('nodes_silent', `No endpoint of ${network} responds. Sending continues when one does.`);
  const refused = senderAccountRefusal(sender, account);
  if (refused !== null)
    return step('no_plain_account', `${refused.message} End the delegation, or use another key.`);
  if (state === 'mined')
    return step(
      'in_a_block',
      'Nothing to do: the transaction becomes final with its block. If `response` names an endpoint that ' +
        'is silent or shows ' +
        'something else, find out which endpoint is wrong and remove it from rpc_urls.',
    );
  if (account.latestCount !== null && account.latestCount > nonce)
    return step(
      'nonce_used',
      `Nonce ${nonce} is used. The service searches final blocks for its transaction. If this lasts, add ` +
        'an endpoint with ' +
        'older state to rpc_urls.',
    );
  if (account.latestCount !== null && account.latestCount < nonce)
    return step(
      'earlier_nonce',
      `Nonce ${account.latestCount} must be mined first. If it is in this list, follow its next step. ` +
        'Otherwise send any ' +
        'transaction with that nonce from this key.',
    );
  if (refusedSignature !== null)
    return step(
      'not_as_ordered',
      `The transaction is not signed and blocks later ones: ${refusedSignature} Find out why, or free ` +
        `the nonce: ${cancel}`,
    );
  if (!cancels && blockGas !== null && call.gasLimit > maxGasLimit(blockGas))
    return step(
      'above_block',
      `The gas limit ${call.gasLimit} exceeds the ${maxGasLimit(blockGas)} that nodes accept, so the ` +
        'transaction is never mined ' +
        `and blocks later ones. Free the nonce: ${cancel}`,
    );
  // The cost of a cancelling attempt is negligible compared with any call.
  const worst = cancels ? 0n : call.value + call.gasLimit * (offered?.maxFee ?? 0n);
  if (
    account.balance < worst ||
    (response !== null && classifyBroadcastError(response) === 'insufficient_funds')
  )
    return step('funds_missing', `Send native coin to ${sender}. It holds ${account.balance} wei.`);
  if (!isHeld)
    return step(
      'key_missing',
      `The same bytes are sent again. Only a process with the key ${key} can raise the fee.`,
    );
  if (account.latestCount === null)
    return step('in_a_pool', 'Nothing to do: the call is signed again after the transaction has expired.');
  if (offered !== null && isAtGasFeeCeiling(offered, feeCeiling))
    return step(
      'at_ceiling',
      'The fee has reached its ceiling, so the transaction waits for cheaper gas. fees.ceiling_gwei ' +
        'affects later transactions ' +
        `only. To unblock them: ${cancel} --fee-ceiling <gwei>`,
    );
  if (cancels)
    return step('being_cancelled', 'Nothing to do: the fee of the cancellation is raised until it is mined.');
  if (state === 'signed' && response !== null)
    return step(
      'refused',
      `No endpoint accepts the transaction (see response). If this lasts, free the nonce: ${cancel}`,
    );
  return step('in_a_pool', 'Nothing to do: the fee is raised if it is too low for new blocks.');
}

function step(situation: OutboundSituation, says: string): OperatorNextStep {
  return { situation, says };
}

import type { Asset } from '../../../shared/kernel/asset.js';
import { newId, type PaymentRequestId } from '../../../shared/kernel/ids.js';
import type { BlockHeader, TokenTransfer } from '../../networks/contract/chain-reader.js';
import type { Transfer } from '../domain/transfer.js';

export interface ReadBlock {
  readonly header: BlockHeader;
  readonly transfers: readonly TokenTransfer[];
}

/**
 * What arrived at our addresses in blocks of one network, in chain order.
 * @param owners whose the addresses are
 * @param assets of that network; nothing else counts as money
 */
export function arrivalsOf(
  blocks: readonly ReadBlock[],
  owners: ReadonlyMap<string, PaymentRequestId>,
  assets: readonly Asset[],
  requiredConfirmations: number,
): Map<PaymentRequestId, Transfer[]> {
  const byToken = new Map(assets.map((asset) => [asset.token, asset]));
  const arrived = new Map<PaymentRequestId, Transfer[]>();
  for (const { header, transfers } of blocks) {
    for (const transfer of transfers) {
      const owner = owners.get(transfer.to);
      const asset = byToken.get(transfer.token);
      // Anyone can emit a transfer of nothing to anybody.
      if (owner === undefined || asset === undefined || transfer.amount === 0n) continue;
      const list = arrived.get(owner) ?? arrived.set(owner, []).get(owner)!;
      list.push(placed(transfer, header, asset, requiredConfirmations));
    }
  }
  return arrived;
}

function placed(
  transfer: TokenTransfer,
  header: BlockHeader,
  { network, uniqueAssetId, decimals }: Asset,
  requiredConfirmations: number,
): Transfer {
  return {
    id: newId(),
    network,
    kind: 'log',
    transactionHash: transfer.transactionHash,
    index: transfer.logIndex,
    blockNumber: header.number,
    blockHash: header.hash,
    blockTime: header.time,
    uniqueAssetId,
    from: transfer.from,
    to: transfer.to,
    amount: transfer.amount,
    decimals,
    requiredConfirmations,
  };
}

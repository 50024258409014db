import { Posting } from './balanced-posting.js';

/**
 * The accounts that a movement is booked to: custody holds the gross, of which the merchant is owed the net and the
 * service keeps the rest. Negative amounts take all of that back. In smallest units.
 */
export function postingOf(uniqueAssetId: string, { gross, net }: { gross: bigint; net: bigint }): Posting {
  return Posting.of([
    { ledgerAccount: 'custody', uniqueAssetId, amount: gross },
    { ledgerAccount: 'merchant_payable', uniqueAssetId, amount: -net },
    { ledgerAccount: 'service_fees', uniqueAssetId, amount: net - gross },
  ]);
}

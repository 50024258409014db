import type { VNode } from 'preact';
import { ListTable } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { ShortId, TimeText } from '#shared/web/parts/values.js';
import type { Network } from '#contexts/networks/contract/network-catalogue.js';
import type { EffectiveSettlementTerms } from '../persistence/settlement-address-queries.js';

interface SettlementTermsProps {
  readonly terms: readonly EffectiveSettlementTerms[];
  readonly networks: readonly Network[];
}

/** Displays where the funds go, without a form, because only operators set it. */
export function SettlementTermsSection({ terms, networks }: SettlementTermsProps): VNode {
  return (
    <section>
      <h2>{t('Destination of the money')}</h2>
      <p class="note">
        {t(
          'The operator of the service sets the address and the fee of each network, for the organization or for one account.',
        )}
      </p>
      <ListTable
        caption="Current settlement terms by network"
        items={terms}
        empty="No settlement terms yet. Payments cannot be collected."
        columns={[
          {
            title: 'Network',
            cell: ({ network }) => networks.find((known) => known.network === network)?.name ?? network,
          },
          {
            title: 'Settled to',
            wide: true,
            cell: ({ settlementAddress, network }) => {
              const { explorerUrl, deliversDirectly } =
                networks.find((known) => known.network === network) ?? {};
              // With direct payment the terms name a wallet, which a block explorer cannot display.
              const explorer = deliversDirectly === true ? undefined : explorerUrl;
              return <ShortId kind="address" value={settlementAddress} explorer={explorer} />;
            },
          },
          { title: 'Fee', numeric: true, cell: ({ feeBasisPoints }) => `${feeBasisPoints / 100} %` },
          {
            title: 'Applies to',
            cell: ({ accountId }) => t(accountId === null ? 'the organization' : 'the account'),
          },
          { title: 'In effect since', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
        ]}
      />
    </section>
  );
}

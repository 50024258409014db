import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { CopyRow, CompletedActionNotice, FactsCard } from '#shared/web/dashboard/page-parts.js';
import { t, useWords, type Word } from '#shared/web/dashboard/words/text.js';
import { Money, Name, When } from '#shared/web/parts/values.js';
import { qrImage, QrPicture } from '#shared/web/parts/qr-code.js';
import type { PaymentLink } from '#contexts/payments/domain/links/payment-link.js';
import { LinkState } from './links-page.js';

interface LinkDetailProps {
  readonly visitor: PageVisitor;
  readonly link: PaymentLink;
  readonly url: string;
  readonly pointOfSaleName: string | undefined;
  readonly done: string | undefined;
}

const DONE_MESSAGES = {
  created: 'Payment link created.',
  activated: 'Payment link activated.',
  deactivated: 'Payment link deactivated. Checkouts that are already open can still be paid.',
} satisfies Record<string, Word>;

export function linkDetailPage({ visitor, link, url, pointOfSaleName, done }: LinkDetailProps): VNode {
  return (
    <DashboardPage
      visitor={visitor}
      title="Payment link"
      heading={
        <>
          {t('Link for {price}', { price: <Money amount={link.amount} symbol={link.coinCode} /> })}{' '}
          <LinkState active={link.active} />
        </>
      }
      place="/app/links"
    >
      <CompletedActionNotice done={done} notices={DONE_MESSAGES} />
      <section class="card">
        <dl>
          <CopyRow id="link-url" label="Link for payers" value={url} />
        </dl>
        <LinkCode url={url} />
      </section>
      <FactsCard
        facts={{
          'Point of sale': (
            <Name
              name={pointOfSaleName}
              id={link.pointOfSaleId}
              href={`/app/points-of-sale/${link.pointOfSaleId}`}
            />
          ),
          Description: link.order?.description,
          'Return URL': link.returnUrl ?? t('same as the point of sale'),
          Created: <When at={link.createdAt} exact />,
        }}
        copy={{ id: 'link-id', label: 'Link id', value: link.id }}
      >
        {may(visitor.role, 'manage') && (
          <form method="post" action={`/app/links/${link.id}/${link.active ? 'deactivate' : 'activate'}`}>
            <button class={link.active ? 'button danger' : 'button'}>
              {t(link.active ? 'Deactivate' : 'Activate')}
            </button>
          </form>
        )}
      </FactsCard>
    </DashboardPage>
  );
}

function LinkCode({ url }: Pick<LinkDetailProps, 'url'>): VNode | null {
  const words = useWords();
  const image = qrImage(url);
  return image === undefined ? null : <QrPicture image={image} label={words('QR code for the link')} />;
}

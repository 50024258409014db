import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { CopyRow, CompletedActionNotice, DetailCard } from '#shared/web/dashboard/page-parts.js';
import { LANGUAGE_CONTEXT, t, useTranslator, type Word } from '#shared/web/dashboard/words/text.js';
import { AmountText, RecordName, TimeText } from '#shared/web/parts/values.js';
import { cachedQrImage, QrPicture } from '#shared/web/parts/qr-code.js';
import type { PaymentLink } from '#contexts/payments/domain/links/payment-link.js';
import { completeOrder, type Order } from '#contexts/payments/domain/requests/order.js';
import { OrderItems } from '../../checkout/pages/parts/order-part.js';
import { LinkStatusBadge } from './links-page.js';

interface LinkDetailProps {
  readonly visitor: PageUser;
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
  const order = link.order && completeOrder(link.order, link, { name: '' });
  return (
    <DashboardPage
      visitor={visitor}
      title="Payment link"
      heading={
        <>
          {t('Link for {price}', { price: <AmountText amount={link.amount} symbol={link.coinCode} /> })}{' '}
          <LinkStatusBadge active={link.active} />
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
      <DetailCard
        facts={{
          'Point of sale': (
            <RecordName
              name={pointOfSaleName}
              id={link.pointOfSaleId}
              href={`/app/points-of-sale/${link.pointOfSaleId}`}
            />
          ),
          Description: order?.description,
          Items: order?.items?.length ? <Items items={order.items} /> : undefined,
          Total: order && <AmountText amount={order.total} symbol={order.coin_code} />,
          'Return URL': link.returnUrl ?? t('same as the point of sale'),
          Created: <TimeText at={link.createdAt} exact />,
        }}
        copy={{ id: 'link-id', label: 'Link id', value: link.id }}
      >
        {hasPermission(visitor.role, 'manage') && (
          <form method="post" action={`/app/links/${link.id}/${link.active ? 'deactivate' : 'activate'}`}>
            <button class={link.active ? 'button danger' : 'button'}>
              {t(link.active ? 'Deactivate' : 'Activate')}
            </button>
          </form>
        )}
      </DetailCard>
    </DashboardPage>
  );
}

function Items({ items }: Required<Pick<Order, 'items'>>): VNode {
  return <OrderItems items={items} language={useContext(LANGUAGE_CONTEXT)} />;
}

function LinkCode({ url }: Pick<LinkDetailProps, 'url'>): VNode | null {
  const words = useTranslator();
  const image = cachedQrImage(url);
  return image === undefined ? null : <QrPicture image={image} label={words('QR code for the link')} />;
}

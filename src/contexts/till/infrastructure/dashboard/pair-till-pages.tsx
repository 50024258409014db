import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormActionOutcome,
  type FormFields,
  POINT_OF_SALE_FIELD,
  createPointOfSaleField,
} from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import { EmptyState } from '#shared/web/dashboard/list-page.js';
import { CopyRow, CompletedActionNotice, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { t, useTranslator, type Word } from '#shared/web/dashboard/words/text.js';
import { TimeText } from '#shared/web/parts/values.js';
import { type QrImage, QrPicture } from '#shared/web/parts/qr-code.js';
import type { NamedPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';

export const PAIR_TILL_PATH = '/app/till';
export const PAIRING_CODE_PATH = `${PAIR_TILL_PATH}/code`;

export const NEW_PAIRING_FIELDS = {
  point_of_sale_id: { ...POINT_OF_SALE_FIELD, hint: 'Tills need a physical point of sale.' },
} satisfies FormFields;

const SUCCESS_MESSAGES = {
  shown: 'The code has already been displayed. If it was not used, create a new one.',
} satisfies Record<string, Word>;

interface TillPageProps extends FormActionOutcome {
  readonly visitor: PageUser;
  readonly points: Choices<NamedPointOfSale>;
}

/** A Cashier sees only this page and the own account. */
export function pairTillPage({ visitor, points, done, sent }: TillPageProps): VNode {
  const choice = createPointOfSaleField(points, sent?.typed['point_of_sale_id']);
  return (
    <DashboardPage visitor={visitor} title="Till" place={PAIR_TILL_PATH}>
      <CompletedActionNotice done={done} notices={SUCCESS_MESSAGES} />
      {points.total === 0 && sent === undefined ? (
        <div class="card empty">
          <EmptyState
            title="No physical points of sale yet."
            note="Create a physical point of sale to pair a phone."
            action={
              hasPermission(visitor.role, 'manage')
                ? { href: '/app/points-of-sale/new?type=physical', label: 'Create point of sale' }
                : undefined
            }
          />
        </div>
      ) : (
        <FormCard
          note="A paired phone works as a till: it takes payments at one point of sale, shows them, and cancels unpaid ones. It has no other access."
          fields={NEW_PAIRING_FIELDS}
          sent={sent}
          known={{ point_of_sale_id: choice }}
          action={PAIR_TILL_PATH}
          button="Pair a phone"
          look="primary"
        />
      )}
    </DashboardPage>
  );
}

interface PairingCodeProps {
  readonly visitor: PageUser;
  readonly point: { readonly id: PointOfSaleId; readonly name: string };
  readonly code: string;
  readonly expiresAt: Date;
  readonly url: string;
  readonly qr: QrImage;
}

/** The only page that displays the pairing code. */
export function newPairingCodePage(props: PairingCodeProps): VNode {
  const { visitor, point, code, expiresAt, url, qr } = props;
  const back = hasPermission(visitor.role, 'read') ? `/app/points-of-sale/${point.id}` : PAIR_TILL_PATH;
  return (
    <DashboardPage
      visitor={visitor}
      title={t('Pair a phone with {name}', { name: point.name })}
      place={PAIR_TILL_PATH}
    >
      <section class="card">
        <p>{t('Scan this code with the phone, or open the address on the phone and enter the code.')}</p>
        <PairingQrCode qr={qr} />
        <dl>
          <CopyRow id="pairing-code" label="Pairing code" value={code} />
          <CopyRow id="till-url" label="Address" value={url} />
        </dl>
        <p class="warning">{t('The code pairs one phone and is displayed only once.')}</p>
        <p>
          {t('Valid until')} <TimeText at={expiresAt} exact />
        </p>
        <LinkButton href={back} label="Done" />
      </section>
    </DashboardPage>
  );
}

function PairingQrCode({ qr }: Pick<PairingCodeProps, 'qr'>): VNode {
  const words = useTranslator();
  return <QrPicture image={qr} label={words('QR code to pair the phone')} />;
}

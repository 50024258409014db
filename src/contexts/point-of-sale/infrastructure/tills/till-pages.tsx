import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/choices.js';
import { may } from '#shared/kernel/dashboard-access.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormFields,
  POINT_OF_SALE,
  pointOfSaleChoice,
  type SentForm,
} from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { CopyRow, Done } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t, useWords } from '#shared/web/dashboard/words/text.js';
import { When } from '#shared/web/parts/when.js';
import { type QrImage, QrPicture } from '#shared/web/qr/qr-code.js';
import type { NamedPointOfSale } from '../../contract/points-of-sale.js';

export const TILL = '/app/till';
export const PAIRING_CODE = `${TILL}/code`;

export const NEW_PAIRING = {
  point_of_sale_id: { ...POINT_OF_SALE, hint: 'Physical points of sale alone have tills.' },
} satisfies FormFields;

const DONE = {
  shown: 'The code was shown, and cannot be shown again. Make another one if it was not used.',
} satisfies Record<string, Word>;

interface TillPageProps {
  readonly visitor: PageVisitor;
  readonly points: Choices<NamedPointOfSale>;
  readonly done?: string | undefined;
  readonly sent?: SentForm | undefined;
}

/** The only page of a Cashier, beside the person's own account. */
export function tillPage({ visitor, points, done, sent }: TillPageProps): VNode {
  const choice = pointOfSaleChoice(points, sent?.typed['point_of_sale_id']);
  return (
    <DashboardPage visitor={visitor} title="Till" place={TILL}>
      <Done done={done} notices={DONE} />
      <section class="card">
        <p>
          {t(
            'A phone that is paired with a point of sale asks for payments there, shows them, and ends those that are not paid. It can do nothing else.',
          )}
        </p>
        <FieldsForm fields={NEW_PAIRING} sent={sent} known={{ point_of_sale_id: choice }} action={TILL}>
          <button class="button primary">{t('Pair a phone')}</button>
        </FieldsForm>
      </section>
    </DashboardPage>
  );
}

interface PairingCodeProps {
  readonly visitor: PageVisitor;
  readonly point: { readonly id: PointOfSaleId; readonly name: string };
  readonly code: string;
  readonly expiresAt: Date;
  /** The address at which the phone can type the code. */
  readonly url: string;
  readonly qr: QrImage;
}

/** The only page that ever shows the code. */
export function pairingCodePage(props: PairingCodeProps): VNode {
  const { visitor, point, code, expiresAt, url, qr } = props;
  const back = may(visitor.role, 'read') ? `/app/points-of-sale/${point.id}` : TILL;
  return (
    <DashboardPage visitor={visitor} title={t('Pair a phone with {name}', { name: point.name })} place={TILL}>
      <section class="card">
        <p>{t('Scan this with the phone, or open the address on it and type the code.')}</p>
        <PairingPicture qr={qr} />
        <dl>
          <CopyRow id="pairing-code" label="Pairing code" value={code} />
          <CopyRow id="till-url" label="Address" value={url} />
        </dl>
        <p class="warning">
          {t('The code pairs one phone. It is shown only now: loading this page again does not show it.')}
        </p>
        <p>
          {t('Works until')} <When at={expiresAt} exact />
        </p>
        <a class="button" href={back}>
          {t('The phone is paired')}
        </a>
      </section>
    </DashboardPage>
  );
}

function PairingPicture({ qr }: Pick<PairingCodeProps, 'qr'>): VNode {
  const words = useWords();
  return <QrPicture image={qr} label={words('QR code that pairs the phone')} />;
}

import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { t, useTranslator } from '#shared/web/dashboard/words/text.js';
import { cachedQrImage, QrPicture } from '#shared/web/parts/qr-code.js';
import type { PointOfSaleView } from '../persistence/points-of-sale-records.js';

interface CodeSheetProps {
  readonly visitor: PageUser;
  readonly point: PointOfSaleView;
  readonly url: string;
}

/** 12 cm on paper, readable by a phone at arm's length. */
const QR_CODE_WIDTH_PIXELS = 454;

export function tillCodeSheet({ visitor, point, url }: CodeSheetProps): VNode {
  return (
    <DashboardPage
      visitor={visitor}
      title="Printable QR sheet"
      place="/app/points-of-sale"
      actions={
        <button type="button" class="button primary" hidden data-print>
          {t('Print')}
        </button>
      }
    >
      <p class="note unprinted">
        {t('Print it once. The code never changes and always opens the current payment.')}
      </p>
      <CodeSheet point={point} url={url} />
    </DashboardPage>
  );
}

function CodeSheet({ point, url }: Omit<CodeSheetProps, 'visitor'>): VNode {
  const words = useTranslator();
  const image = cachedQrImage(url);
  return (
    <section class="card sheet">
      <h2>
        <bdi>{point.merchant.name}</bdi>
      </h2>
      <p>{t(point.openAmount ? 'Scan, enter the amount and pay.' : 'Scan to pay.')}</p>
      {image && (
        <QrPicture image={image} label={words('QR code for the till')} widest={QR_CODE_WIDTH_PIXELS} />
      )}
      <p class="address">{url}</p>
      <p class="note">
        <bdi>{point.name}</bdi>
      </p>
    </section>
  );
}

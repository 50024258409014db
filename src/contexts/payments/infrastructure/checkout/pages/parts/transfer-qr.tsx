import type { VNode } from 'preact';
import type { PageView } from '../page-view.js';
import { qrImage } from '../../../../../../shared/web/qr/qr-code.js';
import { QrPicture } from '../../../../../../shared/web/qr/qr-picture.js';
import { shownAsset } from '../../../../../../shared/web/formatting/shown-amounts.js';

/** The code by which a wallet sends what is missing. */
export function TransferQr({ model, text }: PageView): VNode | null {
  const { selected } = model;
  const image = selected?.transferUri === undefined ? undefined : qrImage(selected.transferUri);
  if (selected === undefined || image === undefined) return null;
  const amount = shownAsset(selected.missingAmount, selected.symbol);
  return <QrPicture image={image} label={text.transferQr(amount, selected.networkName)} />;
}

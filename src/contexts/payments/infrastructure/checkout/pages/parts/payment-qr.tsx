import type { VNode } from 'preact';
import { isolated } from '#shared/web/formatting/plain-text.js';
import type { PageView } from '../page-view.js';
import { WalletLinks } from './wallet-links.js';
import { qrImage, QrPicture } from '#shared/web/qr/qr-code.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';

/** The token's code, which leads wallets to what is missing; the transfer's own where the token is too long. */
export function PaymentQr(view: PageView): VNode {
  const { model, phase, text, price } = view;
  const { selected } = model;
  const token = qrImage(model.token);
  const asked =
    selected && phase === 'partlyPaid' ? shownAsset(selected.missingAmount, selected.symbol) : price;
  const warning = selected && text.onlyThis(isolated(selected.symbol), isolated(selected.networkName));
  return (
    <div class="scan">
      {phase === 'choosing' && token !== undefined && <h3>{text.orScan}</h3>}
      {token !== undefined ? (
        <QrPicture image={token} label={text.tokenQr(asked)} />
      ) : (
        selected !== undefined && <TransferQr {...view} />
      )}
      <p class="warning">{warning ?? text.onlyWhatIsChosen}</p>
      <WalletLinks {...view} />
    </div>
  );
}

/** The code by which a wallet sends what is missing. */
export function TransferQr({ model, text }: PageView): VNode | null {
  const { selected } = model;
  const image = selected?.transferUri === undefined ? undefined : qrImage(selected.transferUri);
  if (selected === undefined || image === undefined) return null;
  const amount = shownAsset(selected.missingAmount, selected.symbol);
  return <QrPicture image={image} label={text.transferQr(amount, selected.networkName)} />;
}

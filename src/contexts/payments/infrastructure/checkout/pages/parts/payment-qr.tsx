import type { VNode } from 'preact';
import { isolated } from '#shared/web/formatting/plain-text.js';
import type { PageView } from '../page-view.js';
import { qrImage, QrPicture } from '#shared/web/qr/qr-code.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { walletHref } from '#shared/web/safe-links.js';

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

/** A link for each wallet of the settings that has a safe one, and the token to copy. */
function WalletLinks({ model, text }: PageView): VNode {
  return (
    <>
      <ul class="wallets">
        {model.wallets.map(({ name, url }, index) => {
          const href = walletHref(url);
          return (
            href !== undefined && (
              <li>
                <a class="button" id={`wallet-${index}`} href={href}>
                  {text.openIn(isolated(name))}
                </a>
              </li>
            )
          );
        })}
      </ul>
      <dl class="facts">
        <Copyable id="token" label={text.paymentCode} value={model.token} text={text} cut />
      </dl>
    </>
  );
}

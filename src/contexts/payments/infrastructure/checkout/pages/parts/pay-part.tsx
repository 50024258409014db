import type { VNode } from 'preact';
import { ByHand } from './by-hand.js';
import { Copyable } from '../../../../../../shared/web/parts/copyable.js';
import { OptionChoice } from './option-choice.js';
import { walletHref } from '../../../../../../shared/web/safe-links.js';
import type { PageView } from '../page-view.js';
import { isPayable } from '../phase.js';
import { isolated } from '../../../../../../shared/web/formatting/plain-text.js';
import { qrImage } from '../../../../../../shared/web/qr/qr-code.js';
import { QrPicture } from '../../../../../../shared/web/qr/qr-picture.js';
import { SandboxWallet } from './sandbox-wallet.js';
import { shownAsset } from '../../../../../../shared/web/formatting/shown-amounts.js';
import { TransferQr } from './transfer-qr.js';

/** All that the payer does. Empty where nothing should be sent any more. */
export function PayPart(view: PageView): VNode {
  const { model, phase, text } = view;
  if (!isPayable(phase)) return <section id="pay" hidden />;
  const { selected } = model;
  const action = `/checkout/${encodeURIComponent(model.sessionId)}`;
  const others = model.options.filter((option) => option.uniqueAssetId !== selected?.uniqueAssetId);
  return (
    <section id="pay" aria-labelledby={selected && 'pay-title'}>
      {selected !== undefined && <h2 id="pay-title">{phase === 'partlyPaid' ? text.scanRest : text.scan}</h2>}
      {selected === undefined && (
        <>
          <OptionChoice action={action} options={model.options} text={text} />
          <p class="note">{text.chooseNote}</p>
        </>
      )}
      <Scan {...view} />
      {selected !== undefined && <ByHand {...view} selected={selected} />}
      {selected?.mayChange === true && others.length > 0 && (
        <details id="others" open data-fold={true}>
          <summary>{text.chooseAnother}</summary>
          <p class="note">{text.chooseAnotherNote}</p>
          <OptionChoice action={action} options={others} text={text} />
        </details>
      )}
      {model.sandbox && selected !== undefined && <SandboxWallet {...view} />}
    </section>
  );
}

/** The token's code, which leads wallets to what is missing; the transfer's own where the token is too long. */
function Scan(view: PageView): VNode {
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
      <Wallets {...view} />
    </div>
  );
}

function Wallets({ model, text }: PageView): VNode {
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

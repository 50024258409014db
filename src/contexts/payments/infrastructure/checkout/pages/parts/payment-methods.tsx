import type { VNode } from 'preact';
import type { PageSelectedAsset } from '../checkout-page-model.js';
import { type CheckoutPageProps, feeNote } from '../checkout-page-props.js';
import { isolateTextDirection } from '#shared/web/formatting/plain-text.js';
import { Copyable } from '#shared/web/parts/detail-item.js';
import { cachedQrImage, QrPicture } from '#shared/web/parts/qr-code.js';
import { formatUngroupedAmount, padAmount } from '#shared/web/formatting/shown-amounts.js';
import { walletHref } from '#shared/web/safe-links.js';
import { type PageScript, SANDBOX_WALLET_SCRIPT, WALLET_SCRIPTS } from '../page-scripts.js';
import { OptionChoice } from './option-choice.js';

/** The browser wallet and the address, or the choice of an asset. */
export function PaymentMethods(view: CheckoutPageProps): VNode {
  const { model, text, language } = view;
  const { selected } = model;
  if (selected !== undefined)
    return (
      <>
        <BrowserWallet {...view} selected={selected} />
        <AddressWay {...view} selected={selected} />
      </>
    );
  return (
    <div class="way">
      <OptionChoice model={model} text={text} language={language} />
      <p class="note">{text.chooseNote}</p>
    </div>
  );
}

/**
 * Displays all that a wallet or an exchange requires for a transfer. On a phone, a link to a wallet is first and the rest
 * is folded. The fold is followed by its content, because CSS cannot open a `details` on a wide screen.
 */
function AddressWay({
  text,
  selected,
  phase,
  language,
}: CheckoutPageProps & { selected: PageSelectedAsset }): VNode {
  const { symbol, networkName, transferUri: uri } = selected;
  const code = cachedQrImage(selected.code);
  const [label, caption] =
    selected.code === selected.address
      ? [text.addressQr, text.scanAddress]
      : [text.transferQr, text.scanTransfer];
  const fee = feeNote(selected.networkFee, text, language);
  const missing = formatUngroupedAmount(selected.missingAmount, symbol, language);
  const isRest = phase === 'partlyPaid';
  return (
    <div class="way" id="way-address">
      {uri !== undefined && (
        <>
          <a class={`button primary${isRest ? '' : ' on-phone'}`} id="open-uri" href={uri}>
            {isRest ? text.payRest(missing) : text.openWallet}
          </a>
          <details class="on-phone" id="scan">
            <summary>{text.scanInstead}</summary>
          </details>
        </>
      )}
      <div class="way">
        {code !== undefined && (
          <QrPicture image={code} label={label(isolateTextDirection(networkName))} caption={caption} />
        )}
        <dl class="facts">
          <Copyable
            id="amount"
            label={text.amount}
            value={padAmount(selected.missingAmount, symbol)}
            unit={symbol}
            copy={text.copyAmount}
            text={text}
            large
          />
          <div class="row">
            <dt>{text.network}</dt>
            <dd class="large">{networkName}</dd>
          </div>
          <Copyable
            id="address"
            label={text.address}
            value={selected.address}
            copy={text.copyAddress}
            text={text}
          />
        </dl>
        <p class="warning">
          {text.onlyThis(isolateTextDirection(symbol), isolateTextDirection(networkName))}
        </p>
        <p class="note">
          {text.exactly}
          {fee !== undefined && ` ${fee}`}
        </p>
        {uri !== undefined && !isRest && (
          <a class="button on-desktop" id="open-uri-last" href={uri}>
            {text.openWallet}
          </a>
        )}
      </div>
    </div>
  );
}

/** The payment code. Open if the merchant or the link selects it; the script folds it otherwise. */
export function MorePaymentMethods({ model, phase, text, price, language }: CheckoutPageProps): VNode {
  const { selected } = model;
  const code = cachedQrImage(model.token);
  const asked =
    selected && phase === 'partlyPaid'
      ? formatUngroupedAmount(selected.missingAmount, selected.symbol, language)
      : price;
  return (
    <details id="more" open data-fold={model.way !== 'code'}>
      <summary>{text.moreWays}</summary>
      <h3>{text.paymentCode}</h3>
      <p class="note">{selected === undefined ? text.codeChooseNote : text.codeNote}</p>
      {code !== undefined && <QrPicture image={code} label={text.tokenQr(asked)} />}
      <ul class="wallets">
        {model.wallets.map(({ name, url }, index) => {
          const href = walletHref(url);
          return (
            href !== undefined && (
              <li>
                <a class="button" id={`wallet-${index}`} href={href}>
                  {text.openIn(isolateTextDirection(name))}
                </a>
              </li>
            )
          );
        })}
      </ul>
      <dl class="facts">
        <Copyable id="token" label={text.codeToCopy} value={model.token} text={text} cut />
      </dl>
    </details>
  );
}

/** Empty and hidden until the wallet script finds a wallet. */
function BrowserWallet({
  model,
  language,
  selected,
}: CheckoutPageProps & { selected: PageSelectedAsset }): VNode {
  const { wallets: network } = selected;
  if (network === undefined) return <section id="browser-wallet" hidden />;
  return (
    <section
      id="browser-wallet"
      hidden
      data-script={scriptPathAndHash(WALLET_SCRIPTS[language])}
      data-sandbox={model.sandbox ? scriptPathAndHash(SANDBOX_WALLET_SCRIPT) : undefined}
      data-session={model.sessionId}
      data-chain-id={network.chainId}
      data-chain-name={selected.networkName}
      data-token={network.token}
      data-decimals={network.decimals}
      data-symbol={selected.symbol}
      data-to={selected.address}
      data-units={selected.missingUnits.toString()}
      data-native-symbol={network.nativeSymbol}
      data-rpc={network.rpcUrl}
      data-explorer={network.explorerUrl}
    />
  );
}

function scriptPathAndHash({ path, hash }: PageScript): string {
  return `${path} ${hash.slice(1, -1)}`;
}

import type { ComponentChildren, VNode } from 'preact';
import type { OpenedWay, PageOption, PageSelection } from '../checkout-page-model.js';
import { type Messages, type PageView, formatFee } from '../page-view.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { isolateTextDirection } from '#shared/web/formatting/plain-text.js';
import { Copyable } from '#shared/web/parts/facts.js';
import { qrImage, QrPicture } from '#shared/web/parts/qr-code.js';
import { formatAsset } from '#shared/web/formatting/shown-amounts.js';
import { walletHref } from '#shared/web/safe-links.js';
import { type PageScript, SANDBOX_WALLET_SCRIPT, WALLET_SCRIPTS } from '../page-scripts.js';

/** The browser script turns the links into tabs. */
export function WaysToPay(view: PageView): VNode {
  const { model, text } = view;
  const { selected, way } = model;
  return (
    <>
      <nav class="tabs" aria-label={text.howToPay}>
        <WayTab way="address" isOpen={way === 'address'} label={text.anyWallet} />
        <WayTab way="code" isOpen={way === 'code'} label={text.paymentCode} />
        {selected !== undefined && <WayTab way="browser" label={text.thisBrowser} isHidden />}
      </nav>
      <WayPanel way="address" isOpen={way === 'address'}>
        {selected === undefined ? (
          <>
            <OptionChoice options={model.options} text={text} language={view.language} />
            <p class="note">{text.chooseNote}</p>
          </>
        ) : (
          <AddressWay {...view} selected={selected} />
        )}
      </WayPanel>
      <WayPanel way="code" isOpen={way === 'code'}>
        <CodeWay {...view} />
      </WayPanel>
      {selected !== undefined && (
        <WayPanel way="browser">
          <BrowserWallet {...view} selected={selected} />
        </WayPanel>
      )}
    </>
  );
}

interface WayTabProps {
  readonly way: OpenedWay;
  readonly label: string;
  readonly isOpen?: boolean;
  readonly isHidden?: boolean;
}

function WayTab({ way, label, isOpen, isHidden }: WayTabProps): VNode {
  return (
    <a
      id={`tab-${way}`}
      href={`?pay=${way}`}
      data-way={way}
      aria-current={isOpen === true ? 'true' : undefined}
      hidden={isHidden}
    >
      {label}
    </a>
  );
}

interface WayPanelProps {
  readonly way: OpenedWay;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

function WayPanel({ way, isOpen, children }: WayPanelProps): VNode {
  return (
    <div class="way" id={`way-${way}`} hidden={isOpen !== true}>
      {children}
    </div>
  );
}

/** The QR code of an address has few modules. */
const MAX_ADDRESS_CODE_WIDTH_PX = 224;

/** All that a wallet or an exchange requires for a transfer. */
function AddressWay({ text, selected, language }: PageView & { selected: PageSelection }): VNode {
  const { symbol, networkName, transferUri: uri } = selected;
  const code = qrImage(selected.code);
  const label = selected.code === selected.address ? text.addressQr : text.transferQr;
  const fee = formatFee(selected.networkFee, text, language);
  return (
    <>
      {code !== undefined && (
        <QrPicture
          image={code}
          label={label(isolateTextDirection(networkName))}
          widest={MAX_ADDRESS_CODE_WIDTH_PX}
        />
      )}
      <dl class="facts">
        <Copyable
          id="amount"
          label={text.amount}
          value={selected.missingAmount}
          unit={symbol}
          text={text}
          large
        />
        <Copyable id="network" label={text.network} value={networkName} text={text} large />
        <Copyable id="address" label={text.address} value={selected.address} text={text} />
      </dl>
      <p class="warning">{text.onlyThis(isolateTextDirection(symbol), isolateTextDirection(networkName))}</p>
      <p class="note">
        {text.exactly}
        {fee !== undefined && ` ${text.feeNow(fee)}`}
      </p>
      {uri !== undefined && (
        <a class="button" id="open-uri" href={uri}>
          {text.openAnyWallet}
        </a>
      )}
    </>
  );
}

function CodeWay({ model, phase, text, price }: PageView): VNode {
  const { selected } = model;
  const code = qrImage(model.token);
  const asked =
    selected && phase === 'partlyPaid' ? formatAsset(selected.missingAmount, selected.symbol) : price;
  return (
    <>
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
    </>
  );
}

/** Empty and hidden until the wallet script finds a wallet. */
function BrowserWallet({ model, language, selected }: PageView & { selected: PageSelection }): VNode {
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

interface OptionChoiceProps {
  readonly options: readonly PageOption[];
  readonly text: Messages;
  readonly language: PageLanguage;
}

/** One button for each option, so that a choice takes one press. */
export function OptionChoice({ options, text, language }: OptionChoiceProps): VNode {
  return (
    <form method="post" class="options">
      {options.map((option, index) => (
        <button
          class="option"
          id={`option-${index}`}
          name="unique_asset_id"
          value={option.uniqueAssetId}
          disabled={option.amount === undefined}
        >
          <OptionFacts option={option} text={text} language={language} />
        </button>
      ))}
    </form>
  );
}

interface OptionFactsProps extends Omit<OptionChoiceProps, 'options'> {
  readonly option: PageOption;
}

export function OptionFacts({ option, text, language }: OptionFactsProps): VNode {
  const symbol = option.symbol;
  const fee = formatFee(option.networkFee, text, language);
  return (
    <>
      <span>
        <b>{symbol}</b> <span class="network">{text.onNetwork(option.networkName)}</span>
      </span>{' '}
      <span class="amount">
        {option.amount === undefined ? text.noRate : formatAsset(option.amount, symbol)}
      </span>
      {fee !== undefined && <span class="fee">{text.networkFee(fee)}</span>}
    </>
  );
}

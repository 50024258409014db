import type { VNode } from 'preact';
import { isolated } from '#shared/web/formatting/plain-text.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { qrImage, QrPicture } from '#shared/web/parts/qr-code.js';
import type { PageSelection } from '../checkout-page-model.js';
import { type PageView, shownFee } from '../page-view.js';

/** CSS pixels. Enough for the few modules of an address. */
const WIDEST = 224;

/** Displays everything that a wallet or an exchange requires. A link opens the transfer in a wallet on the same device. */
export function AddressWay({ text, selected, language }: PageView & { selected: PageSelection }): VNode {
  const { symbol, networkName, transferUri: uri } = selected;
  const code = qrImage(selected.code);
  const label = selected.code === selected.address ? text.addressQr : text.transferQr;
  const fee = shownFee(selected.networkFee, text, language);
  return (
    <>
      {code !== undefined && <QrPicture image={code} label={label(isolated(networkName))} widest={WIDEST} />}
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
      <p class="warning">{text.onlyThis(isolated(symbol), isolated(networkName))}</p>
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

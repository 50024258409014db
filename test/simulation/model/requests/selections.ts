import type { Heard } from '../exchange/heard.js';
import {
  decimal,
  units,
  isAddress,
  isObject,
  listOf,
  objectOf,
  textOf,
  type Json,
  lower,
} from '../known/values.js';
import type { Known } from '../known/known.js';
import { takeEarlierPayouts } from '../settlement/payouts.js';
import { isWithoutRate } from './creation.js';
import { type Asset, isEnded, type PaymentRequest, type Status } from './payment-request.js';

/** Learns and judges the assets, addresses and amounts that a request shows. @returns false where one of them stays unknown */
export function takeSelected(request: PaymentRequest, record: Json, heard: Heard, known: Known): boolean {
  let isWhole = true;
  if (Array.isArray(record.payment_options)) takeOptions(request, record, known);
  if (isObject(record.selected)) {
    const { selected } = record;
    select(request, selected.unique_asset_id, selected.address, selected.amount, heard, known);
    judgeNames(request, selected, known);
    judgeCurrent(request, record, heard, known);
  } else if (isAddress(record.address)) {
    if (request.isCheckout) isWhole = takeListed(request, record, heard, known);
    else select(request, record.unique_asset_id, record.address, record.amount, heard, known);
  }
  const isChosen = record.status !== 'pending' && record.status !== 'expired' && record.status !== 'failed';
  if (
    request.isCheckout &&
    isChosen &&
    record.selected === undefined &&
    record.session_id !== undefined &&
    Array.isArray(record.payment_options)
  ) {
    known.differ('a status after pending has an asset', request.about, ['selected', record]);
  }
  return isWhole;
}

function takeListed(request: PaymentRequest, record: Json, heard: Heard, known: Known): boolean {
  const asset = known.asset(record.unique_asset_id);
  if (asset === undefined || request.selections.some((each) => each.asset === asset)) return true;
  const key = asset.fact.uniqueAssetId.toLowerCase();
  const amount = request.options.get(key);
  if (amount != null && isWithoutRate(asset, request.coinCode ?? '')) {
    const text = decimal(amount, asset.fact.decimals);
    select(request, key, record.address, text, heard, known);
    return true;
  }
  judgeChoice(request, key, heard, known);
  hold(request, lower(record.address), asset, known);
  return false;
}

/** One of the `accepts` of x402 names the contract of the selected asset, where to pay, and what is missing in the smallest unit. */
export function takeOffer(request: PaymentRequest, offer: Json, heard: Heard, known: Known): void {
  const asset = [...request.options.keys()]
    .map((key) => known.asset(key))
    .find((each) => each?.token === lower(offer.asset));
  const amount = textOf(offer.amount);
  if (asset === undefined || !/^[1-9]\d*$/.test(amount)) {
    known.differ('x402 offers an option', request.about, ['one of its assets', offer]);
    return;
  }
  const { uniqueAssetId, decimals } = asset.fact;
  const missing = decimal(BigInt(amount), decimals);
  const address = lower(offer.payTo);
  if (asset.chain.movedTo(address).length === 0) {
    select(request, uniqueAssetId, offer.payTo, missing, heard, known);
    return;
  }
  // A part may have been seen already.
  const selection = request.selections.find((each) => each.asset === asset);
  if (selection === undefined) return;
  known.equal('an asset keeps its address', request.about, [selection.address, address]);
  const isAtMost = BigInt(amount) <= selection.amount;
  const most = decimal(selection.amount, decimals);
  known.expect(isAtMost, 'x402 asks for what is missing at most', request.about, [most, missing]);
}

/** Until something is paid, the asset that was chosen last is the one that is shown. */
function judgeCurrent(request: PaymentRequest, record: Json, { exchange }: Heard, known: Known): void {
  if (exchange.method !== 'GET') return;
  const chosen = request.chosen.before(exchange.sentAt);
  if (record.status !== 'created' || chosen === '' || chosen !== request.chosen.latest()) return;
  const shown = lower(objectOf(record.selected).unique_asset_id);
  known.equal('the asset that was chosen last is shown', request.about, [chosen, shown]);
}

function takeOptions(request: PaymentRequest, record: Json, known: Known): void {
  const { about } = request;
  for (const option of listOf(record.payment_options).map(objectOf)) {
    const asset = known.asset(option.unique_asset_id);
    const key = lower(option.unique_asset_id);
    if (asset === undefined) {
      known.differ('payment options are assets of the catalogue', about, ['an asset', option]);
      continue;
    }
    judgeNames(request, option, known);
    const amount = units(option.amount, asset.fact.decimals);
    // Without a current rate there is no amount, and nothing is guessed; what has ended costs nothing any more.
    const isUnpriced =
      option.amount === undefined &&
      (record.selected !== undefined ||
        isEnded(textOf(record.status) as Status) ||
        request.coinCode === undefined ||
        !isWithoutRate(asset, request.coinCode));
    const isAmount = isUnpriced || (amount !== null && amount > 0n);
    known.expect(isAmount, 'the amount of a payment option', about, ['an amount of the asset', option]);
    if (amount !== null) judgeRate(request, asset, amount, known);
    request.options.set(key, amount);
  }
}

function judgeRate(request: PaymentRequest, asset: Asset, amount: bigint, known: Known): void {
  if (request.coinCode === undefined || !isWithoutRate(asset, request.coinCode)) return;
  const expected = units(request.amount, asset.fact.decimals);
  if (expected === null) return;
  const text = decimal(expected, asset.fact.decimals);
  known.expect(amount === expected, 'a price without a rate is 1:1', request.about, [
    text,
    decimal(amount, asset.fact.decimals),
  ]);
}

function judgeNames(request: PaymentRequest, shown: Json, known: Known): void {
  const { about } = request;
  const asset = known.asset(shown.unique_asset_id);
  if (asset === undefined) return;
  const { fact } = asset;
  known.equal('the spelling of a unique_asset_id', about, [fact.uniqueAssetId, shown.unique_asset_id]);
  known.equal('the symbol of an option', about, [fact.symbol, shown.symbol]);
  known.equal('the network of an option', about, [asset.network, shown.network]);
}

/** An asset with its address and amount: known, or explained by somebody who chose it. */
function select(
  request: PaymentRequest,
  uniqueAssetId: unknown,
  shownAddress: unknown,
  shownAmount: unknown,
  heard: Heard,
  known: Known,
): void {
  const asset = known.asset(uniqueAssetId);
  if (asset === undefined || !isAddress(shownAddress)) {
    known.differ('a selected asset has an address', request.about, [
      'an asset and an address',
      [uniqueAssetId, shownAddress],
    ]);
    return;
  }
  const address = shownAddress.toLowerCase();
  const amount = units(shownAmount, asset.fact.decimals);
  if (amount === null || amount === 0n) {
    known.differ('the amount to pay', request.about, ['an amount of the asset', shownAmount]);
    return;
  }
  const before = request.selections.find((each) => each.asset === asset);
  if (before !== undefined) {
    known.equal('an asset keeps its address', request.about, [before.address, address]);
    const text = decimal(before.amount, asset.fact.decimals);
    known.expect(before.amount === amount, 'an asset keeps its amount', request.about, [text, shownAmount]);
    return;
  }
  const key = asset.fact.uniqueAssetId.toLowerCase();
  judgeRate(request, asset, amount, known);
  judgeChoice(request, key, heard, known);
  request.selections.push({ asset, address, amount });
  request.maybeSelected.delete(key);
  hold(request, address, asset, known);
}

function hold(request: PaymentRequest, address: string, asset: Asset | undefined, known: Known): void {
  const owner = known.addresses.get(address);
  const isFree = owner === undefined || owner === request;
  known.expect(isFree, 'an address belongs to one request', address, [request.id, owner?.id]);
  if (isFree) known.addresses.set(address, request);
  if (owner === undefined && asset !== undefined) takeEarlierPayouts(address, request, asset.chain, known);
}

function judgeChoice(request: PaymentRequest, key: string, heard: Heard, known: Known): void {
  const { about } = request;
  if (request.isStrange || !request.isCheckout) return;
  const isOnly = request.options.size === 1 && request.options.has(key);
  const chosen = heard.body.unique_asset_id ?? heard.exchange.query.payment_option;
  const isChosen = lower(chosen) === key || request.maybeSelected.has(key);
  known.expect(isOnly || isChosen, 'an asset is selected by somebody', about, ['a choice of it', key]);
  const isOption = request.options.size === 0 || request.options.has(key);
  known.expect(isOption, 'a selected asset is one of the options', about, [[...request.options.keys()], key]);
}

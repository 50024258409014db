const SYNONYMS: Readonly<Record<string, string>> = {
  reference_id:
    'orderid ordernumber orderreference reference ref invoiceid merchantreference merchantorderid externalid',
  coin_code: 'currency currencycode coin pricecurrency fiat',
  unique_asset_id: 'asset assetid assetcode token tokenid currency currencycode coin coincode',
  payment_option: 'asset assetid uniqueassetid',
  amount: 'price value total sum',
  order: 'cart basket',
  items: 'lineitems products',
  quantity: 'qty count',
  payer_email: 'email customeremail buyeremail receiptemail',
  return_url: 'successurl redirecturl redirecturi backurl returnurl',
  url: 'callbackurl callback webhookurl notifyurl notificationurl endpoint',
  event_type: 'event events eventtypes enabledevents',
  name: 'title label displayname',
  api_key: 'key keyid apikeyid clientid',
  api_secret: 'secret clientsecret apikeysecret',
  refund_to_address: 'address toaddress recipient destination',
  paid_transaction_hash: 'transactionhash txhash txid hash',
  interval: 'period frequency',
  expires_at: 'expires expiry expiration',
  page_size: 'limit perpage size',
  limit: 'pagesize perpage size',
  after: 'cursor startingafter offset',
  created_from: 'from since createdafter startdate',
  created_to: 'to until createdbefore enddate',
  external_id: 'reference referenceid',
};
/** Longer names are unlikely to be typos, and comparing them is slow. */
const MAX_COMPARED_LENGTH = 40;

/** @param known the fields of the request that the caller has not sent */
export function unknownFieldMessage(name: string, known: Iterable<string>): string {
  const meant = nearestField(name, [...known]);
  return `is not a field of this request. ${meant === undefined ? 'Remove it.' : `Did you mean ${meant}?`}`;
}

/** @returns the field that differs only in case or separators, or has this synonym, or else has the fewest typos */
export function nearestField(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  const typed = withoutSeparators(name);
  const same =
    known.find((field) => withoutSeparators(field) === typed) ??
    known.find((field) => SYNONYMS[field]?.split(' ').includes(typed));
  if (same !== undefined) return same;
  const near = known
    .map((field) => ({ field, slips: typoDistance(typed, withoutSeparators(field)) }))
    .filter(({ field, slips }) => slips <= Math.max(typed.length, withoutSeparators(field).length) / 4)
    .sort((a, b) => a.slips - b.slips);
  return near[0]?.field;
}

function withoutSeparators(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function typoDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

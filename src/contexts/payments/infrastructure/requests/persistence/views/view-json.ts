/** Amounts and times are strings, and absent fields are null. */
export type JsonOf<View> = {
  [Field in keyof View]-?: object extends Pick<View, Field>
    ? ValueJson<NonNullable<View[Field]>> | null
    : ValueJson<View[Field]>;
};

type ValueJson<Value> = Value extends bigint | Date ? string : Value;

export function fromJson<View>(
  json: JsonOf<View>,
  { amounts = [], times = [] }: { amounts?: readonly (keyof View)[]; times?: readonly (keyof View)[] },
): View {
  const view: Partial<Record<keyof View, unknown>> = {};
  for (const [key, value] of Object.entries(json)) {
    const field = key as keyof View;
    if (value === null) continue;
    view[field] = amounts.includes(field)
      ? BigInt(value as string)
      : times.includes(field)
        ? new Date(value as string)
        : value;
  }
  return view as View;
}

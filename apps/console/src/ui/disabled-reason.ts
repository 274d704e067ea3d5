/** Props that disable a control and show `reason` in its tooltip; none without a reason. */
export const disabledBecause = (reason: string | undefined) =>
  reason === undefined ? {} : { disabled: true, wrapperProps: { 'data-tip': reason } }

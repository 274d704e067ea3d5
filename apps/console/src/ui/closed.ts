/** What closes a control for `reason` and lets its tooltip say so; nothing without a reason. */
export const closedBy = (reason: string | undefined) =>
  reason === undefined ? {} : { disabled: true, wrapperProps: { 'data-tip': reason } }

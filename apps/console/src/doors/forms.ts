// How a form asks core, and where it shows what was refused.

import { faultsOf } from '@backhaul/contract/define/errors'
import { reasonOfRule } from '@backhaul/contract/define/refusals'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import type { FieldPath, FieldValues, Resolver, UseFormReturn } from 'react-hook-form'
import { reasonText } from '../texts/generic.ts'
import { byField, describeFault, type Fault, faultWords } from './api.ts'

/** What the console refuses by itself, before core is asked. */
function faultOfFields(
  error: Parameters<typeof faultsOf>[0],
  title: string,
  fieldOf: (field: string) => string = (field) => field,
): Fault {
  return {
    title,
    fields: byField(faultsOf(error).map((fault) => ({ ...fault, field: fieldOf(fault.field) }))),
  }
}

/** Checks a form by a schema of the contract, and says what is wrong in the language of the person. */
export function resolverOf<T extends FieldValues>(schema: Parameters<typeof zodResolver>[0]): Resolver<T> {
  const check = zodResolver(schema) as unknown as Resolver<T>
  return async (...form) => {
    const checked = await check(...form)
    for (const fault of Object.values(checked.errors))
      if (typeof fault?.message === 'string')
        fault.message = reasonText(reasonOfRule(fault.message) ?? { message: fault.message })
    return checked
  }
}

/** What was typed, the schema of the contract that judges it, and what to do with what passes. */
export interface Checked<T> {
  schema: {
    safeParse(
      typed: unknown,
    ): { success: true; data: T } | { success: false; error: Parameters<typeof faultsOf>[0] }
  }
  typed: unknown
  /** Said above the fields that are wrong. */
  title: string
  /** The field of the form that shows the faults of a field of the schema. */
  fieldOf?: (field: string) => string
  ask: (checked: T) => Promise<Fault | undefined>
}

/** That core is asked, and what came of it. */
export function useSaving() {
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)
  /** `ask` answers or throws what went wrong; true: nothing did. */
  async function run(ask: () => Promise<Fault | undefined>): Promise<boolean> {
    setBusy(true)
    const refused = await ask().catch(describeFault)
    setBusy(false)
    setFault(refused)
    return refused === undefined
  }
  return {
    busy,
    /** By field. */
    faults: fault?.fields ?? {},
    words: fault && faultWords(fault),
    /** Nothing where a field says it already. */
    unplaced: fault && Object.keys(fault.fields).length === 0 ? faultWords(fault) : undefined,
    refuse: setFault,
    run,
    /** Core is asked only for what the contract lets through; answers what was saved, nothing where nothing was. */
    async runChecked<T>({ schema, typed, title, fieldOf, ask }: Checked<T>): Promise<T | undefined> {
      const checked = schema.safeParse(typed)
      if (!checked.success) return void setFault(faultOfFields(checked.error, title, fieldOf))
      return (await run(() => ask(checked.data))) ? checked.data : undefined
    },
  }
}

/** Each message at its field, the cursor in the first; what belongs to no field of the form is its root's. */
export function showFault<T extends FieldValues>(form: UseFormReturn<T>, fault: Fault): void {
  const named = Object.entries(fault.fields).filter(([name]) => name in form.getValues())
  for (const [at, [name, message]] of named.entries())
    form.setError(name as FieldPath<T>, { message }, { shouldFocus: at === 0 })
  if (named.length === 0) form.setError('root', { message: faultWords(fault) })
}

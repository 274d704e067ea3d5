// The form of a record: typed values, judged by a schema of the contract, saved, and the place of a refusal.
import { faultsOf } from '@backhaul/contract/define/errors'
import { useState } from 'react'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type PathValue,
  type Resolver,
  useForm,
} from 'react-hook-form'
import { byField, describeFault, type Fault, faultWords } from './api.ts'

export interface RecordSchema<Requested> {
  safeParse(
    typed: unknown,
  ): { success: true; data: Requested } | { success: false; error: Parameters<typeof faultsOf>[0] }
}

interface RecordFormOptions<Form, Requested> {
  /** The fields when the form opens. */
  start: () => Form
  /** Checks the request; where the contract has none for the whole of it, core alone checks. */
  schema?: RecordSchema<Requested>
  /** The request to core; the fields themselves where nothing else is given. */
  requestOf?: (form: Form) => unknown
  /** The field of the form that shows the faults of a field of the schema. */
  fieldOf?: (field: string) => string
  /** Shown with the fields that are wrong. */
  title?: string
  /** Faults are shown while the user types, not only from the first try to save on. */
  whileTyping?: boolean
  /** Called only with a request that the contract admits; answers or throws what went wrong. */
  save: (request: Requested, form: Form) => Promise<Fault | undefined>
}

/** The fields of a record, for the parts of its form. */
export interface FieldsOf<Form> {
  values: Form
  set: (changes: Partial<Form>) => void
  faults: Readonly<Record<string, string>>
}

export function useRecordForm<Form extends FieldValues, Requested = Form>({
  start,
  schema = { safeParse: (typed) => ({ success: true, data: typed as Requested }) },
  requestOf = (form) => form,
  fieldOf = (field) => field,
  title = '',
  whileTyping = false,
  save,
}: RecordFormOptions<Form, Requested>) {
  const [refused, setRefused] = useState<Fault>()
  const [before] = useState(start)
  const resolver: Resolver<Form> = async (values) => {
    const checked = schema.safeParse(requestOf(values))
    if (checked.success) return { values, errors: {} }
    const faults = faultsOf(checked.error).map((fault) => ({ ...fault, field: fieldOf(fault.field) }))
    // The first of several faults of a field is shown.
    const errors = Object.entries(byField(faults.toReversed())).map(([name, message]) => [
      name,
      { type: 'contract', message },
    ])
    return { values: {}, errors: Object.fromEntries(errors) }
  }
  const form = useForm<Form>({ defaultValues: before as DefaultValues<Form>, resolver })
  const { errors, isSubmitting, isDirty, isSubmitted } = form.formState
  const faults = flat(errors)

  return {
    values: form.watch() as Form,
    set(changes: Partial<Form>): void {
      for (const [name, value] of Object.entries(changes))
        form.setValue(name as FieldPath<Form>, value as PathValue<Form, FieldPath<Form>>, {
          shouldDirty: true,
          shouldValidate: isSubmitted || whileTyping,
        })
    },
    /** The faults by field. */
    faults,
    words: refused && faultWords(refused),
    /** The code of the last refusal. */
    refusedCode: refused?.code,
    /** Undefined where a field shows it already. */
    unplaced: refused && Object.keys(refused.fields).length === 0 ? faultWords(refused) : undefined,
    busy: isSubmitting,
    isChanged: isDirty,
    /** Shows what was refused outside of saving. */
    refuse: setRefused,
    /** Begins again with other values: earlier changes are no changes any more. */
    restart(values: Form): void {
      setRefused(undefined)
      form.reset(values)
    },
    /** Answers what was saved, nothing where nothing was. */
    async save(): Promise<Requested | undefined> {
      let saved: Requested | undefined
      const ask = async (values: Form): Promise<void> => {
        const checked = schema.safeParse(requestOf(values))
        if (!checked.success) return
        const fault = await save(checked.data, values).catch(describeFault)
        setRefused(fault)
        if (fault === undefined) saved = checked.data
        else
          for (const [name, message] of Object.entries(fault.fields))
            form.setError(name as FieldPath<Form>, { type: 'core', message })
      }
      await form.handleSubmit(ask, (wrong) => setRefused({ title, fields: flat(wrong) }))()
      // The saved values are the start of the next change.
      if (saved !== undefined) form.reset(form.getValues())
      return saved
    },
  }
}

/** The message of each field by its dotted name. */
function flat(errors: FieldErrors, above = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([name, error]): [string, string][] => {
      if (error === undefined || error === null) return []
      if (typeof error.message === 'string') return [[above + name, error.message]]
      return Object.entries(flat(error as FieldErrors, `${above}${name}.`))
    }),
  )
}

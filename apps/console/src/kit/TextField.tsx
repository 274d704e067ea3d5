import { TextInput, type TextInputProps } from '@mantine/core'

interface TextFieldProps<Name extends string>
  extends Omit<TextInputProps, 'name' | 'value' | 'error' | 'onChange'> {
  record: {
    values: Readonly<Record<NoInfer<Name>, string>>
    set: (changes: Record<NoInfer<Name>, string>) => void
    faults: Readonly<Record<string, string>>
  }
  name: Name
}

/** One text of a record, with what is wrong with it. */
export function TextField<Name extends string>({ record, name, ...input }: TextFieldProps<Name>) {
  return (
    <TextInput
      {...input}
      value={record.values[name]}
      error={record.faults[name]}
      onChange={(event) => record.set({ [name]: event.currentTarget.value } as Record<Name, string>)}
    />
  )
}

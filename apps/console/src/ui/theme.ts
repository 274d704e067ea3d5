// The component kit dressed in the tokens: dark first, contrast checked, error text readable on both themes.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const dark: MantineColorsTuple = [
  '#e6ebf1',
  '#cdd5de',
  '#a9b4c2',
  '#8793a3',
  '#3a4452',
  '#2c343f',
  '#1b2027',
  '#14181d',
  '#0e1114',
  '#0a0c0f',
]

const accent: MantineColorsTuple = [
  '#eaf2ff',
  '#d3e3ff',
  '#b5d0ff',
  '#8fbaff',
  '#6ea8fe',
  '#4f8ef0',
  '#2a6bd4',
  '#1a52aa',
  '#16448d',
  '#113570',
]

/** Shade 6 fills the buttons of acts that cannot be undone; light text on it reads on both themes. */
const red: MantineColorsTuple = [
  '#ffe9e7',
  '#ffcfcb',
  '#ffb3ad',
  '#ff9a93',
  '#ff8a85',
  '#d8514a',
  '#c4352e',
  '#9c2520',
  '#851e1a',
  '#6e1714',
]

/** @param close what the button of a dialog's corner is called */
export const themeWith = (close: string) =>
  createTheme({
    fontFamily: 'var(--font-text)',
    fontFamilyMonospace: 'var(--font-mono)',
    headings: { fontFamily: 'var(--font-text)', fontWeight: '600' },
    fontSizes: { xs: '11px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
    lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '22px', xl: '24px' },
    defaultRadius: '5px',
    colors: { dark, accent, red },
    primaryColor: 'accent',
    primaryShade: 6,
    autoContrast: true,
    luminanceThreshold: 0.35,
    respectReducedMotion: true,
    white: '#f7f8fa',
    black: '#14181d',
    cursorType: 'pointer',
    components: {
      Button: { defaultProps: { size: 'xs' }, styles: { label: { fontSize: 13, fontWeight: 500 } } },
      Input: { styles: { input: { fontSize: 13 } } },
      InputWrapper: {
        // Fields side by side are at one height, regardless of the texts below each.
        defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
        styles: {
          label: { fontSize: 11, fontWeight: 500, color: 'var(--text-2)', marginBottom: 3 },
          description: { fontSize: 11, lineHeight: '15px', color: 'var(--text-2)' },
          error: { fontSize: 12, lineHeight: '16px' },
        },
      },
      TextInput: { defaultProps: { size: 'xs' } },
      Textarea: { defaultProps: { size: 'xs' } },
      PasswordInput: { defaultProps: { size: 'xs' } },
      NumberInput: { defaultProps: { size: 'xs' } },
      FileInput: { defaultProps: { size: 'xs' } },
      Select: { defaultProps: { size: 'xs' } },
      NativeSelect: { defaultProps: { size: 'xs' } },
      MultiSelect: { defaultProps: { size: 'xs' } },
      Checkbox: { defaultProps: { size: 'xs' }, styles: { label: { fontSize: 13 } } },
      Switch: {
        defaultProps: { size: 'xs' },
        styles: { label: { fontSize: 13 }, track: { boxShadow: 'inset 0 0 0 1px var(--outline)' } },
      },
      // The kit's colour of a title does not reach the contrast on light ground.
      Alert: {
        styles: {
          root: {
            border: '1px solid var(--divider)',
            backgroundColor: 'var(--surface-2)',
            boxShadow: 'inset 3px 0 0 var(--alert-color)',
          },
          title: { color: 'var(--text-1)' },
          message: { color: 'var(--text-1)' },
        },
      },
      Modal: {
        defaultProps: {
          centered: true,
          radius: 6,
          transitionProps: { duration: 120 },
          overlayProps: { backgroundOpacity: 0.55 },
          closeButtonProps: { 'aria-label': close },
        },
      },
      Menu: {
        defaultProps: { radius: 5, withInitialFocusPlaceholder: false, transitionProps: { duration: 80 } },
      },
      Popover: { defaultProps: { radius: 5, transitionProps: { duration: 80 } } },
    },
  })

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  dark: {
    '--mantine-color-body': 'var(--surface-1)',
    '--mantine-color-text': 'var(--text-1)',
    '--mantine-color-dimmed': 'var(--text-2)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-error': '#ff8a85',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default': 'var(--surface-2)',
    '--mantine-color-default-hover': 'var(--surface-3)',
    '--mantine-color-default-border': 'var(--outline)',
    '--mantine-color-disabled-color': 'var(--text-3)',
  },
  light: {
    '--mantine-color-body': 'var(--surface-2)',
    '--mantine-color-text': 'var(--text-1)',
    '--mantine-color-dimmed': 'var(--text-2)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-error': '#a81e19',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default': 'var(--surface-2)',
    '--mantine-color-default-hover': 'var(--surface-3)',
    '--mantine-color-default-border': 'var(--outline)',
    '--mantine-color-disabled-color': 'var(--text-3)',
  },
})

#ifndef VMAF_FEATURE_H
#define VMAF_FEATURE_H

/**
 * @file
 * Dictionaries: the options of a feature, as key and value texts. A client fills one and hands it
 * to vmaf_use_feature(), vmaf_model_feature_overload() or vmaf_model_collection_feature_overload().
 *
 * The options of each feature are listed in docs/features.md of the source tree; the specification
 * is docs/spec there: "spec abi 3.5" is section 3.5 of its abi.md.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Ordered list of (key, value) texts; opaque. Made by the first vmaf_feature_dictionary_set(). */
typedef struct VmafFeatureDictionary VmafFeatureDictionary;

/**
 * Set one option, making the dictionary if there is none yet.
 *
 * If the whole value is a number, it is stored in single precision with six digits, as printf's
 * "%g" writes it: "1.0" becomes "1", "1.23456789" becomes "1.23457", "1000000" becomes "1e+06".
 * Blanks around it, `inf`, `nan` and hexadecimal count as numbers. Every other text is stored as it
 * is. The C locale is always used.
 *
 * @param dict  Where the client keeps its dictionary. Not NULL. If `*dict` is NULL, the call makes
 *              a dictionary. It is the client's until another call takes it. On failure `*dict` is
 *              unchanged.
 * @param key   Name of the option as the feature lists it (not its alias). Not NULL; copied. A key
 *              that exists keeps its place and gets the new value. A key that the feature does not
 *              know is ignored when the dictionary is used.
 * @param val   Value: "true" or "false" for a switch, a decimal number, or a text, as the option
 *              has it. Not NULL; copied. Checked only when a feature is registered with it: a
 *              number must be in the option's range, an integer is cut off at the point.
 *
 * Threads: one thread at a time per dictionary.
 * Source: spec abi 3.5.
 *
 * @return 0, or an error:
 *         - `-EINVAL`: a NULL argument
 *         - `-ENOMEM`
 */
int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val);

/**
 * Free a dictionary that no other call has taken.
 *
 * @param dict  Where the client keeps its dictionary. Not NULL; `*dict` may be NULL. Set to NULL.
 *
 * Threads: one thread at a time per dictionary.
 * Source: spec abi 3.5.
 *
 * @return 0, or `-EINVAL`: `dict` is NULL.
 */
int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict);

#ifdef __cplusplus
}
#endif

#endif /* VMAF_FEATURE_H */

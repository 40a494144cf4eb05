"""Statistics of many runs: measures of histories, percentiles with bounds, probabilities with intervals, sensitivity.

Pure functions of arrays. Nothing here knows vehicles, files or pictures.
"""
